/* Apart from its header: where it is inlined, gcc 12 takes what it returns for
 * a dangling pointer. */

#include "choose_help.h"

atm_choice *choose(const atm_request *request, const atm_profile *profile)
{
    atm_choice *choice = NULL;

    assert_int_equal(atm_choose(request, profile, &choice), ATM_OK);
    assert_true(choice->chosen == 0 || choice->chosen == choice->best);
    return choice;
}
