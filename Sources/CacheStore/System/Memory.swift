internal import CLinux

/// Has every block of a mebibyte and more go back to the kernel when it is freed.
///
/// Left to itself, malloc(3) raises that bound up to 32 MiB and keeps such blocks in each thread's
/// heap: a gc of many victims then takes three times the memory that it uses. For the process's first
/// thread, before any other is started; see mallopt(3).
public func returnLargeBlocks() { cachectl_set_mmap_threshold(1 << 20) }
