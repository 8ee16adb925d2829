# Tells the thread sanitizer of continuations that are resumed before they are awaited (x86-64).
#
# The concurrency library releases the task whenever it resumes one, and acquires it where the task is run again. A task
# that finds its continuation resumed already goes on without: what was done before the resuming then looks unordered with
# what the task does next. This stands before the library's, says so, and goes on there.
#
# The library's own ends in tail calls and pops what its caller pushed: it gets the stack and rdi as they were.

    .weak __tsan_acquire
    .weak swift_task_getCurrent

    .text
    .globl swift_continuation_await
    .type swift_continuation_await, @function
swift_continuation_await:
    pushq %rdi
    movq __tsan_acquire@GOTPCREL(%rip), %rax
    testq %rax, %rax
    je 1f
    call swift_task_getCurrent@PLT
    movq %rax, %rdi
    movq __tsan_acquire@GOTPCREL(%rip), %rax
    call *%rax
1:  call find_continuation_await
    popq %rdi
    jmp *%rax

    .section .note.GNU-stack,"",@progbits
