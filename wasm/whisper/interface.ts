// What the kernels and their callers must agree on, read by both compilers: AssemblyScript's in assembly/, and TypeScript's.
// Which arguments a kernel takes is kernel-arguments.ts. Constants have no types, since the two name them differently.

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

/** What a multiplication does with its sums besides adding the bias: `add` adds them to what is there. */
export enum FINISH {
  store,
  gelu,
  add,
}

/** Words of an entry of the sequence table, which has one for each vector of a call. */
export enum TABLE_ENTRY {
  token,
  position,
  /** byte of the addresses (u32) of its sequence's records, its own last of all that it attends to */
  records,
  /** how many it attends to */
  recordCount,
  /** byte of what is kept of its attention to the window; 0: nothing is */
  alignment,
}
export const TABLE_ENTRY_WORDS = 5

/** Bytes of the control block that callers read and write: see assembly/control.ts. */
export const SCRATCH_AT = 448
export const SCRATCH_BYTES_AT = 452
export const RESULT_AT = 456
export const ARGUMENTS_AT = 512

/** Columns of a head, in every Whisper. */
export const HEAD = 64
/** What scores are multiplied with: 1/√64 as attention has it, and log2(e), since exponentials are powers of 2. */
export const SCORE_FACTOR = 0.18033688011112042

/** Rows of a panel of rows, and of a panel of outputs. */
export const ROW_PANEL = 6
export const OUTPUT_PANEL = 8
/** Inputs whose products are summed as integers at once, and keys whose weighted values are, at most. */
export const LARGEST_BLOCK = 384
export const MOST_KEYS_IN_BLOCK = 256

/** Inputs of a token's matrices that share a scale in each row; a panel's rows, and the bytes of a group's scales. */
export const GROUP = 32
/** So many inputs that are f32 are as large as a group. */
export const FLOAT_GROUP = 16
export const PANEL_ROWS = 8
export const GROUP_HEAD_BYTES = 32
/** A group of a vector: its pairs, and their sum. */
export const VECTOR_GROUP_BYTES = 272

/** Logits whose largest is told, and the sum of whose powers. */
export const LOGITS_IN_BLOCK = 256

/** Of weights that may have any values, in f32 and in i16; token-kernels.ts explains all of them. */
export const FLOAT_GRID = 0
export const LONG_GRID = 32767

/** Where the numbers begin in what is kept of an alignment head; before them is their factor (f32). */
export const ALIGNMENT_HEAD_BYTES = 16

/** Samples (16 kHz) of a frame of log-mel, and from one frame to the next: 25 ms and 10 ms. */
export const MEL_FRAME_SAMPLES = 400
export const HOP_SAMPLES = 160
/** Frames that are computed at once, one in each lane. */
export const MEL_LANES = 4

/** What a chunk of each kernel is. */
export const NORM_ROWS_IN_CHUNK = 8
export const PANELS_IN_PACK_CHUNK = 4
export const PANELS_IN_ATTENTION_CHUNK = 4
export const PACKED_PANELS_IN_CHUNK = 8
export const PACKED_VECTORS_IN_CHUNK = 4
export const EMBEDDED_TOKENS_IN_CHUNK = 8
export const LOGIT_BLOCKS_IN_CHUNK = 32
export const MEL_FRAMES_IN_CHUNK = 16
export const MEL_NUMBERS_IN_CHUNK = 16384
/** Numbers: a multiple of the 256 that share a block in the k-quants. */
export const DEQUANTIZED_IN_CHUNK = 8192
