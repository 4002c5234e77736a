// Constants shared by the kernels and their callers, read by both compilers: AssemblyScript's and TypeScript's. They have no
// type annotations because the two languages name types differently.

export enum KERNEL {
  layerNorm = 10,
  packRows = 11,
  packValues = 12,
  product = 13,
  attention = 14,
  copyRows = 15,
  copyValues = 16,
  packMatrix = 30,
  packTransposed = 31,
  packVectors = 32,
  multiply = 33,
  embed = 34,
  attendTokens = 35,
  attendFrames = 36,
  sumLogits = 37,
  logMel = 50,
  normalizeMel = 51,
  dequantize = 60,
}

/** What a multiplication does with its sums after adding the bias: `add` adds them to the existing values. */
export enum FINISH {
  store,
  gelu,
  add,
}

/** How the tile adds products of i16: the two of a pair together, or apart (assembly/tile-apart.ts). Same results. */
export enum TILE {
  together,
  apart,
}

/** Words of an entry of the sequence table, which has one entry per vector of a call. */
export enum TABLE_ENTRY {
  token,
  position,
  /** byte of the addresses (u32) of its sequence's records; the vector attends to all records up to its own */
  records,
  /** the number of records that it attends to */
  recordCount,
  /** byte to which its cross-attention is written; 0 to discard it */
  alignment,
}
export const TABLE_ENTRY_WORDS = 5

/** Byte offsets in the control block that callers read and write: see assembly/control.ts. */
export const SCRATCH_AT = 448
export const SCRATCH_BYTES_AT = 452
export const RESULT_AT = 456
/** A TILE; may change between two kernels. */
export const TILE_AT = 460
export const ARGUMENTS_AT = 512

/** Columns of a head, in every Whisper model. */
export const HEAD = 64
/** The factor of attention scores: 1/√64, times log2(e), since the kernels compute powers of 2. */
export const SCORE_FACTOR = 0.18033688011112042

/** Rows of a panel of rows, and of a panel of outputs. */
export const ROW_PANEL = 6
export const OUTPUT_PANEL = 8
/** The most inputs whose products are summed as integers at once, and the most keys whose weighted values are. */
export const LARGEST_BLOCK = 384
export const MAX_KEYS_IN_BLOCK = 256

/** Matrices of the decoder: inputs that share a scale in each row, rows of a panel, bytes of a group's scales. */
export const GROUP = 32
/** The inputs of a group of f32. */
export const FLOAT_GROUP = 16
export const PANEL_ROWS = 8
export const GROUP_HEAD_BYTES = 32
/** Bytes of a group of a vector: its pairs, and their sum. */
export const VECTOR_GROUP_BYTES = 272

/** Logits per block, of which the kernel returns the maximum and the sum of exponentials. */
export const LOGITS_IN_BLOCK = 256

/** Grids of weights with arbitrary values, in f32 and in i16; see Grid in token-kernels.ts. */
export const FLOAT_GRID = 0
export const LONG_GRID = 32767

/** Offset of the numbers of an alignment head; their factor (f32) precedes them. */
export const ALIGNMENT_HEAD_BYTES = 16

/** Samples (16 kHz) per frame of log-mel, and from one frame to the next: 25 ms and 10 ms. */
export const MEL_FRAME_SAMPLES = 400
export const HOP_SAMPLES = 160
/** Frames computed at once, one per lane. */
export const MEL_LANES = 4

/** The sizes of each kernel's chunks. */
export const NORM_ROWS_IN_CHUNK = 8
export const PANELS_IN_PACK_CHUNK = 4
export const PANELS_IN_ATTENTION_CHUNK = 4
export const PACKED_PANELS_IN_CHUNK = 8
export const PACKED_VECTORS_IN_CHUNK = 4
export const EMBEDDED_TOKENS_IN_CHUNK = 8
export const LOGIT_BLOCKS_IN_CHUNK = 32
export const MEL_FRAMES_IN_CHUNK = 16
export const MEL_NUMBERS_IN_CHUNK = 16384
/** In numbers: a multiple of 256, the block of the k-quants. */
export const DEQUANTIZED_IN_CHUNK = 8192
