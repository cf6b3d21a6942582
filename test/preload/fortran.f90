! A Fortran program: what it writes collectively it reads again, blocking and not; handles, hints and
! error codes are those of Fortran.  Prints TAP.
program fortran
    use mpi
    implicit none
    integer, parameter :: items = 3000
    integer :: rank, ranks, file, info, error, request, length, class, number, i
    integer :: status(MPI_STATUS_SIZE), written(items), found(items)
    integer(kind=MPI_OFFSET_KIND) :: place, bytes
    character(len=1024) :: name
    character(len=MPI_MAX_INFO_VAL) :: value
    logical :: has

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call get_command_argument(1, name)
    number = 0
    written = [(rank * items + i, i = 1, items)]
    place = int(rank, MPI_OFFSET_KIND) * items * 4

    call MPI_Info_create(info, error)
    call MPI_Info_set(info, "cb_buffer_size", "65536", error)
    call MPI_File_open(MPI_COMM_WORLD, trim(name), MPI_MODE_CREATE + MPI_MODE_RDWR, info, file, error)
    call tell(error == MPI_SUCCESS, "a file opens")
    call MPI_Info_free(info, error)
    call MPI_File_get_info(file, info, error)
    call MPI_Info_get(info, "romio_autotune_status", MPI_MAX_INFO_VAL, value, has, error)
    call tell(has, "the driver has it")
    call MPI_Info_free(info, error)

    call MPI_File_write_at_all(file, place, written, items, MPI_INTEGER, status, error)
    call MPI_Get_count(status, MPI_INTEGER, length, error)
    call tell(length == items, "all is written")
    call MPI_File_sync(file, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_File_sync(file, error)
    call MPI_File_iread_at(file, place, found, items, MPI_INTEGER, request, error)
    call MPI_Wait(request, status, error)
    call MPI_Get_count(status, MPI_INTEGER, length, error)
    call tell(length == items .and. all(found == written), "and read without waiting")
    found = 0
    call MPI_File_iread_at_all(file, place, found, items, MPI_INTEGER, request, error)
    call MPI_Wait(request, status, error)
    call tell(all(found == written), "together as well")
    call MPI_File_get_size(file, bytes, error)
    call tell(bytes == int(ranks, MPI_OFFSET_KIND) * items * 4, "its size")
    call MPI_File_close(file, error)
    call tell(file == MPI_FILE_NULL, "its end")

    call MPI_File_open(MPI_COMM_WORLD, trim(name) // ".none/none", MPI_MODE_RDONLY, MPI_INFO_NULL, file, error)
    call MPI_Error_class(error, class, i)
    call tell(class == MPI_ERR_NO_SUCH_FILE, "a file that is not there")
    if (rank == 0) print '("1..", i0)', number
    call MPI_Finalize(error)

contains

    subroutine tell(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        logical :: everywhere
        integer :: failure

        call MPI_Reduce(holds, everywhere, 1, MPI_LOGICAL, MPI_LAND, 0, MPI_COMM_WORLD, failure)
        number = number + 1
        if (rank /= 0) return
        if (everywhere) then
            print '("ok ", i0, " - ", a)', number, what
        else
            print '("not ok ", i0, " - ", a)', number, what
        end if
    end subroutine tell
end program fortran
