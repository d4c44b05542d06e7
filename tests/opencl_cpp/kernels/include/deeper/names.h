#pragma once
local<int> from_deeper{6};
inline bool2 both_of(bool4 b) { return b.zy; }
constant<int> here{1};
