# Tells the thread sanitizer of Swift's Mutex (x86-64).
#
# The compiler inlines a Mutex's quick paths into its users, and the sanitizer sees them. The slow paths, for a
# contended one, are in the standard library, which isn't instrumented: what one thread did before it unlocked then
# looks unordered with what the next one does. These two stand before the library's, call it, and say so.
#
# Swift hands `self`, the lock's word, over in r13. Without the sanitizer its two functions are absent, and nothing is said.

    .weak __tsan_acquire
    .weak __tsan_release

    .text
    .globl $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF
    .type $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF, @function
$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF:
    pushq %rbp
    movq %rsp, %rbp
    pushq %r13
    subq $24, %rsp
    movq %rdi, (%rsp)
    call find_lock_slow
    movq (%rsp), %rdi
    movq -8(%rbp), %r13
    call *%rax
    movq __tsan_acquire@GOTPCREL(%rip), %rax
    testq %rax, %rax
    je 1f
    movq -8(%rbp), %rdi
    call *%rax
1:  addq $24, %rsp
    popq %r13
    popq %rbp
    ret

    .globl $s15Synchronization12_MutexHandleV11_unlockSlowyyF
    .type $s15Synchronization12_MutexHandleV11_unlockSlowyyF, @function
$s15Synchronization12_MutexHandleV11_unlockSlowyyF:
    pushq %rbp
    movq %rsp, %rbp
    pushq %r13
    subq $8, %rsp
    movq __tsan_release@GOTPCREL(%rip), %rax
    testq %rax, %rax
    je 2f
    movq %r13, %rdi
    call *%rax
2:  call find_unlock_slow
    movq -8(%rbp), %r13
    call *%rax
    addq $8, %rsp
    popq %r13
    popq %rbp
    ret

    .section .note.GNU-stack,"",@progbits
