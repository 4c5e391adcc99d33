// SPDX-License-Identifier: GPL-2.0-only
// What programs and the library need where the C library is older; older_system.py links it.

// NOLINTBEGIN(bugprone-reserved-identifier): the C library's and the linker's own names
extern "C"
{
    // Since glibc 2.32 libstdc++'s headers read it; false: references are counted atomically.
    char __libc_single_threaded = 0;

#ifdef LFN_PROGRAM
    using Initializer = void (*)(int, char**, char**);
    using Finalizer = void (*)();
    using Main = int (*)(int, char**, char**);

    extern Initializer __init_array_start[];
    extern Initializer __init_array_end[];
    void _init();

    // A program linked with glibc 2.34 or newer relies on the C library for this.
    static void Initialize(int argc, char** argv, char** environment)
    {
        _init();
        for (Initializer* next = __init_array_start; next != __init_array_end; next++)
        {
            (*next)(argc, argv, environment);
        }
    }

    int __real___libc_start_main(Main main,
                                 int argc,
                                 char** argv,
                                 Initializer initialize,
                                 Finalizer finalize,
                                 Finalizer loader,
                                 void* stack);

    // The linker has the start code call this one instead (--wrap).
    int __wrap___libc_start_main(Main main,
                                 int argc,
                                 char** argv,
                                 Initializer initialize,
                                 Finalizer finalize,
                                 Finalizer loader,
                                 void* stack)
    {
        Initializer first = initialize ? initialize : Initialize;
        return __real___libc_start_main(main, argc, argv, first, finalize, loader, stack);
    }
#endif
}

// NOLINTEND(bugprone-reserved-identifier)
