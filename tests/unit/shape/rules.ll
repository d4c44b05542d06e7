; Every rule of src/compiler/analysis/shape.c once.  What is expected is in the names:
;
;   %u.NAME   uniform         %v.NAME   varying
;   %s4.NAME  strided by 4    %s4w.NAME but for a wrap of one value    %s4W.NAME of several
;   %r4.NAME  the same where the value %rank is counted in place of ids    %rv.NAME varying there
;   %i.NAME   is the local id in x through casts; %n.NAME is not
;
; Blocks: apart.NAME is between a varying branch and where its sides meet, NAME.forks ends in one.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__mpl_local_id_0()
declare i64 @__mpl_local_id_1()
declare i64 @__mpl_local_linear_id()
declare i64 @__mpl_lane_id()
declare i32 @__mpl_sync_reduce_add_int(i32, ptr)
declare i32 @__mpl_sync_scan_add_int(i32, ptr)
declare i32 @__mpl_lanes_reduce_add_int(i32, ptr)
declare i32 @pure(i32)
declare i32 @impure(i32)

define void @sources(i32 %n, ptr addrspace(1) %p) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %s0.y = call i64 @__mpl_local_id_1()
  %s1.linear = call i64 @__mpl_local_linear_id()
  %s1.lane = call i64 @__mpl_lane_id()
  %u.sum = call i32 @__mpl_sync_reduce_add_int(i32 %n, ptr null)
  %v.scan = call i32 @__mpl_sync_scan_add_int(i32 %n, ptr null)
  %u.lanes = call i32 @__mpl_lanes_reduce_add_int(i32 %v.scan, ptr null)
  %u.call = call i32 @pure(i32 %n)
  %v.call = call i32 @pure(i32 %v.scan)
  %v.impure = call i32 @impure(i32 %n)
  %v.alloca = alloca i32
  %u.load = load i32, ptr addrspace(1) %p
  %v.volatile = load volatile i32, ptr addrspace(1) %p
  %v.atomic = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %s4.at = getelementptr i32, ptr addrspace(1) %p, i64 %s1.x
  %v.load = load i32, ptr addrspace(1) %s4.at
  %s0.at = getelementptr i32, ptr addrspace(1) %p, i64 %s0.y
  %s0.load = load i32, ptr addrspace(1) %s0.at
  ret void
}

define void @sums(i64 %n, i32 %m) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %s0.y = call i64 @__mpl_local_id_1()
  %u.n = add i64 %n, 3
  %s1.id = add i64 %s1.x, %n
  %s-1.down = sub i64 %n, %s1.id
  %s0.difference = sub i64 %s1.id, %s1.x
  %s3.times = mul i64 %s1.id, 3
  %s-12.times = mul i64 %s3.times, -4
  %s8.shift = shl i64 %s1.id, 3
  %v.by = mul i64 %s1.id, %n
  %v.square = mul i64 %s1.x, %s1.x
  %s0.rows = mul i64 %s0.y, %n
  %s1.cell = add i64 %s1.x, %s0.rows
  %s0.square = mul i64 %s0.y, %s0.y
  %s0.halves = udiv i64 %s0.y, 2
  %v.halves = udiv i64 %s1.x, 2
  %s0.row = icmp eq i64 %s0.y, %n
  %v.less = icmp ult i64 %s1.x, %n
  %s4.four = shl i64 %s1.x, 2
  %s4.or = or disjoint i64 %s4.four, 3
  %v.or = or i64 %s4.four, %n
  %v.bits = and i64 %s1.x, 63
  %v.half = lshr i64 %s1.x, 1
  %u.select = select i1 false, i64 %n, i64 %u.n
  %v.select = select i1 %v.less, i64 %n, i64 %u.n
  %v.float = uitofp i64 %s1.x to float
  %s0.float = uitofp i64 %s0.y to float
  %s1W.freeze = freeze i64 %s1.id
  %s0W.freeze = freeze i64 %s0.rows
  %u.freeze = freeze i64 %u.n
  %v.mask = and i64 %s1.id, -1
  %s4.with = add i64 %s4.four, %n
  %s4.cleared = and i64 %s4.with, -4
  %v.cleared = and i64 %s4.with, -8
  %v.low = and i64 %s4.with, 3
  %v.vector = insertelement <2 x i64> poison, i64 %s1.x, i32 0
  ret void
}

define void @widths(i64 %n, i32 %m, i8 %k) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %s1.id = add i64 %s1.x, %n
  %s1.low = trunc i64 %s1.x to i32
  %s1.wide = sext i32 %s1.low to i64
  %s1.wider = zext i32 %s1.low to i64
  %s1.int = trunc i64 %s1.id to i32
  %s1w.sext = sext i32 %s1.int to i64
  %s1w.zext = zext i32 %s1.int to i64
  %s0.int = sub i32 %s1.int, %s1.int
  %s0.same = zext i32 %s0.int to i64
  ret void
}

define void @wraps(i64 %n, i32 %m) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %s1.id = add i64 %s1.x, %n
  %s1.low = trunc i64 %s1.x to i32
  %s1.int = trunc i64 %s1.id to i32
  %s1.nsw = add nsw i32 %s1.low, %m
  %s1.exact = sext i32 %s1.nsw to i64
  %s1w.zext = zext i32 %s1.nsw to i64
  %s1.positive = zext nneg i32 %s1.nsw to i64
  %s1.nuw = add nuw i32 %s1.low, %m
  %s1.unsigned = zext i32 %s1.nuw to i64
  %s1w.signed = sext i32 %s1.nuw to i64
  %s1.seven = add i32 %s1.low, 7
  %s1.known = zext i32 %s1.seven to i64
  %s1.more = add nsw i32 %s1.int, %m
  %s1w.more = sext i32 %s1.more to i64
  %s3.mul = mul nsw i32 %s1.nsw, 3
  %s3.ext = sext i32 %s3.mul to i64
  %s4.shl = shl i32 %s1.nsw, 2
  %s4w.ext = sext i32 %s4.shl to i64
  %s1w.one = zext i32 %s1.int to i64
  %s2W.both = add i64 %s1w.more, %s1w.one
  %s2w.same = add i64 %s1w.one, %s1w.one
  %s1w.row = add i64 %s1w.one, %n
  %s1.byte = trunc i64 %s1.x to i8
  %s1w.byte = zext i8 %s1.byte to i64
  ret void
}

; int i = get_global_id(0), after InstCombine
define void @int_of_id(i64 %n, ptr %p) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %s1.id = add i64 %s1.x, %n
  %s4294967296.up = shl i64 %s1.id, 32
  %s1W.int = ashr exact i64 %s4294967296.up, 32
  %s4W.bytes = ashr exact i64 %s4294967296.up, 30
  %s4W.at = getelementptr inbounds i8, ptr %p, i64 %s4W.bytes
  %s1W.uint = lshr exact i64 %s4294967296.up, 32
  %s1W.and = and i64 %s1.id, 4294967295
  %s4294967296.own = shl i64 %s1.x, 32
  %s1.own = ashr exact i64 %s4294967296.own, 32
  %s1.and = and i64 %s1.x, 4294967295
  %s72057594037927936.eight = shl i64 %s1.id, 56
  %v.eight = ashr i64 %s72057594037927936.eight, 56
  %v.further = ashr i64 %s4294967296.up, 33
  ret void
}

%pair = type { i32, [4 x i16] }
define void @addresses(ptr %p, i64 %n, i32 %m) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %u.at = getelementptr float, ptr %p, i64 %n
  %s4.at = getelementptr float, ptr %u.at, i64 %s1.x
  %s16.wide = getelementptr <4 x float>, ptr %p, i64 %s1.x
  %s12.field = getelementptr %pair, ptr %p, i64 %s1.x, i32 1, i64 2
  %s2.inner = getelementptr %pair, ptr %p, i64 %n, i32 1, i64 %s1.x
  %s14.both = getelementptr %pair, ptr %p, i64 %s1.x, i32 1, i64 %s1.x
  %s1.low = trunc i64 %s1.x to i32
  %s4.int = getelementptr float, ptr %p, i32 %s1.low
  %s1.sum = add i32 %s1.low, %m
  %s4w.int = getelementptr float, ptr %p, i32 %s1.sum
  %s4.cast = addrspacecast ptr %s4.at to ptr addrspace(1)
  %s4.number = ptrtoint ptr %s4.at to i64
  %s4.back = inttoptr i64 %s4.number to ptr
  %v.half = ptrtoint ptr %s4.at to i16
  ret void
}

define void @branches(i32 %n, i64 %m) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %u.c = icmp eq i32 %n, 0
  br i1 %u.c, label %one, label %two
one:
  %s1.one = add i64 %s1.x, 1
  br label %joined
two:
  br label %joined
joined:
  %s1.either = phi i64 [ %s1.one, %one ], [ %s1.x, %two ]
  %v.mixed = phi i64 [ %m, %one ], [ %s1.x, %two ]
  %u.either = phi i64 [ %m, %one ], [ 7, %two ]
  br label %here.forks
here.forks:
  %v.c = icmp ult i64 %s1.x, 5
  br i1 %v.c, label %apart.left, label %apart.right
apart.left:
  %v.lanes = call i32 @__mpl_lanes_reduce_add_int(i32 1, ptr null)
  %u.group = call i32 @__mpl_sync_reduce_add_int(i32 1, ptr null)
  br label %meet
apart.right:
  br label %meet
meet:
  %v.either = phi i64 [ %m, %apart.left ], [ 7, %apart.right ]
  %u.same = phi i64 [ %m, %apart.left ], [ %m, %apart.right ]
  %s1.same = phi i64 [ %s1.x, %apart.left ], [ %s1.x, %apart.right ]
  ret void
}

define void @uniform_loop(ptr %p, i64 %n, i64 %row) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %s4.first = getelementptr float, ptr %p, i64 %s1.x
  %s1.low = trunc i64 %s1.x to i32
  br label %loop
loop:
  %u.k = phi i64 [ 0, %entry ], [ %u.next, %loop ]
  %s4.at = phi ptr [ %s4.first, %entry ], [ %s4.next, %loop ]
  %s1.i = phi i32 [ %s1.low, %entry ], [ %s1.step, %loop ]
  %s1.j = phi i32 [ %s1.low, %entry ], [ %s1.nsw, %loop ]
  %v.doubled = phi i64 [ %s1.x, %entry ], [ %v.twice, %loop ]
  %s4.next = getelementptr float, ptr %s4.at, i64 %row
  %s1.step = add i32 %s1.i, 5
  %s1w.step = zext i32 %s1.i to i64
  %s1.nsw = add nsw i32 %s1.j, 5
  %s1.wide = sext i32 %s1.j to i64
  %v.twice = shl i64 %v.doubled, 1
  %u.next = add i64 %u.k, 1
  %u.c = icmp ult i64 %u.next, %n
  br i1 %u.c, label %loop, label %end
end:
  %s4.out = phi ptr [ %s4.at, %loop ]
  ret void
}

define void @varying_loop(i64 %n, i64 %step) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  br label %apart.loop.forks
apart.loop.forks:
  %v.i = phi i64 [ %s1.x, %entry ], [ %v.next, %apart.loop.forks ]
  %v.k = phi i64 [ 0, %entry ], [ %v.k.next, %apart.loop.forks ]
  %u.inside = mul i64 %n, %step
  %v.left = add i64 %n, 7
  %v.next = add i64 %v.i, %step
  %v.k.next = add i64 %v.k, 1
  %v.c = icmp ult i64 %v.next, %n
  br i1 %v.c, label %apart.loop.forks, label %end
end:
  %v.out = add i64 %v.left, 1
  ret void
}

; Ids say nothing of ranks.
define void @ranks(ptr %p, i32 %n, i64 %base) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %rank = call i32 @__mpl_sync_scan_add_int(i32 1, ptr null)
  %low = trunc i64 %s1.x to i32
  %rv.mixed = add i32 %rank, %low
  %r1.sum = add i32 %rank, %n
  %r1.nsw = add nsw i32 %rank, %n
  %r1w.wide = zext i32 %r1.sum to i64
  %r1.wide = sext i32 %r1.nsw to i64
  %r1.all = zext i32 %rank to i64
  %r4.at = getelementptr i32, ptr %p, i64 %r1.all
  %r4w.at = getelementptr i32, ptr %p, i64 %r1w.wide
  %r4.far = getelementptr i32, ptr %r4.at, i64 %base
  %rv.x = add i64 %r1.all, %s1.x
  %loaded = load i32, ptr %r4.at
  %rv.loaded = add i32 %loaded, %rank
  ret void
}

define void @casts(i64 %n) {
entry:
  %s1.x = call i64 @__mpl_local_id_0()
  %i.int = trunc i64 %s1.x to i32
  %i.wide = zext i32 %i.int to i64
  %i.sext = sext i32 %i.int to i64
  %i.and = and i64 %s1.x, 4294967295
  %i.less = and i64 %s1.x, 2147483647
  %n.less = and i64 %s1.x, 1073741823
  %n.byte = trunc i64 %s1.x to i8
  %n.back = zext i8 %n.byte to i64
  %n.sum = add i64 %s1.x, 1
  ret void
}
