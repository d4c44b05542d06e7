/* Switching fibres on AArch64 (AAPCS64): x19 to x30 and the low halves of v8 to v15 go to the stack
 * that is left and come from the one that is entered. */
#ifdef __aarch64__
        .text
        .globl  mpl_fibre_switch
        .hidden mpl_fibre_switch
        .type   mpl_fibre_switch, %function
        .p2align 4
mpl_fibre_switch: /* (void **save, void *to) */
        .cfi_startproc
        sub     sp, sp, #160
        .cfi_adjust_cfa_offset 160
        stp     x29, x30, [sp]
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        mov     x9, sp
        str     x9, [x0]
        mov     sp, x1
        ldp     x29, x30, [sp]
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #160
        .cfi_adjust_cfa_offset -160
        .cfi_restore x29
        .cfi_restore x30
        br      x30
        .cfi_endproc
        .size   mpl_fibre_switch, .-mpl_fibre_switch

/* Where a new fibre begins: the entry in x19, its argument in x20 (fibre.c). */
        .globl  mpl_fibre_begin
        .hidden mpl_fibre_begin
        .type   mpl_fibre_begin, %function
        .p2align 4
mpl_fibre_begin:
        .cfi_startproc
        .cfi_undefined x30
        mov     x29, xzr
        mov     x0, x20
        blr     x19
        brk     #1
        .cfi_endproc
        .size   mpl_fibre_begin, .-mpl_fibre_begin
#endif
        .section .note.GNU-stack, "", %progbits
