/*
 * Configuration files of H5Tuner (Behzad et al., SC 2013, figure 5) as advice:
 *
 *     <Parameters>
 *       <High_Level_IO_Library> <alignment> 0, 65536 </alignment> </High_Level_IO_Library>
 *       <Middleware_Layer> <cb_nodes> 32 </cb_nodes> </Middleware_Layer>
 *       <Parallel_File_System>
 *         <striping_factor FileName="sample.h5part"> 4 </striping_factor>
 *         <striping_factor> 16 </striping_factor>
 *       </Parallel_File_System>
 *     </Parameters>
 *
 * What is for one file is a rule for files of that name, with what is for all files where it says
 * nothing else; the last rule is for all files.
 */

#ifndef ATS_IMPORT_H
#define ATS_IMPORT_H

#include "advice/advice.h"

/* Destroy the advice.  left_out_p[size]: names of elements that there is no setting for, or "".
 * ATM_BAD_FILE, ATM_NO_ACCESS, ATM_NO_MEMORY. */
atm_status ats_import(const char *path, atm_message *message, size_t size, char *left_out_p,
                      atm_advice **advice_p);
atm_status ats_import_text(const char *text, size_t length, const char *name, atm_message *message,
                           size_t size, char *left_out_p, atm_advice **advice_p);

#endif /* ATS_IMPORT_H */
