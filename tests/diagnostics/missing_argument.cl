// launch: 16 16
kernel void k(local int *cells) { cells[get_local_id(0)] = 1; }
