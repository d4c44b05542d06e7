/* Inside of the planner: what its files ask of one another. */
#ifndef MPL_COMPILER_SPLIT_CONTEXTS_H
#define MPL_COMPILER_SPLIT_CONTEXTS_H

#include "plan.h"

/* --- values.c --- */
bool mpl_is_shared(const struct mpl_split_plan *, LLVMValueRef value); /* one value for all */
/* Takes from `left` what it costs to compute the value again: its price, if work-items do not share
 * it, and those of its operands, unless it is free.  It goes no deeper than `left` lasts: a program
 * may chain as many instructions as it likes. */
typedef unsigned mpl_price(const struct mpl_split_plan *, LLVMValueRef);
bool mpl_affords(const struct mpl_split_plan *, LLVMValueRef value, mpl_price *, unsigned *left);
/* It is computed again wherever it is used. */
bool mpl_can_remat(const struct mpl_split_plan *, LLVMValueRef value);
/* It divides bytes by a unit's: a shift. */
bool mpl_counts_units(LLVMValueRef);
/* The value is used there: finds its way, or those of what it can be computed from, and a slot if it
 * has to have one. */
void mpl_need(struct mpl_split_plan *, LLVMValueRef value, mpl_site);

/* --- elements.c: of private arrays that each work-item has in scratch memory, unit by unit --- */
struct mpl_slot *mpl_element_slot(const struct mpl_split_plan *,
                                  LLVMValueRef pointer); /* or null */
/* The load's element has not changed where `region` begins, and it only follows the load's region. */
bool mpl_is_element_kept(const struct mpl_split_plan *, LLVMValueRef load, unsigned region);
/* The value, a load of one, is loaded again in `region`. */
bool mpl_can_reload(const struct mpl_split_plan *, LLVMValueRef value, unsigned region);

/* --- broadcast_one.c --- */
/* Somebody keeps the value for each work-item whether or not it is broadcast. */
bool mpl_is_kept_anyway(const struct mpl_split_plan *, LLVMValueRef value);
/* Broadcast in front of the region, it is computed for one work-item alone. */
bool mpl_can_broadcast_one(const struct mpl_split_plan *, LLVMValueRef value, unsigned region);

/* --- slots.c --- */
struct mpl_slot *mpl_add_slot(struct mpl_split_plan *, enum mpl_slot_kind, LLVMValueRef value,
                              LLVMTypeRef, unsigned region, bool varying);
/* The slot is read in `region`: it is in use from there back to where it is written. */
void mpl_live_in(const struct mpl_split_plan *, struct mpl_slot *, unsigned region);
/* Where each is in scratch memory. */
void mpl_place_slots(struct mpl_split_plan *);

/* --- sharing.c: which need no memory of their own --- */
void mpl_share_slots(struct mpl_split_plan *);
/* What an edge hands over to the phi is in the phi's slot already. */
bool mpl_is_in_its_place(const struct mpl_split_plan *, const struct mpl_slot *phi,
                         LLVMValueRef incoming);

#endif
