/* A data set of HDF5's in a group of a new file; hdf5.expected has what is seen.  hdf5 FILE */

#include <hdf5.h>
#include <string.h>

int main(int argc, char **argv)
{
    hsize_t sizes[2] = {10, 20}, start[2] = {0, 0}, part[2] = {2, 5};
    double values[200];
    hid_t file, space, group, set;

    memset(values, 0, sizeof(values));
    file = argc == 2 ? H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) : -1;
    space = H5Screate_simple(2, sizes, NULL);
    group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    set = H5Dcreate2(group, "set", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0 || space < 0 || group < 0 || set < 0)
        return 1;
    if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0 ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL) < 0 ||
        H5Dread(set, H5T_NATIVE_FLOAT, space, space, H5P_DEFAULT, values) < 0)
        return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (H5Fopen("/does/not/exist", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0 ||
        H5Eget_num(H5E_DEFAULT) == 0) /* the errors are still there */
        return 1;
    H5Dclose(set);
    H5Gclose(group);
    H5Sclose(space);
    return H5Fclose(file) < 0;
}
