// The arguments of each kernel, in the order of their words beside the control block; read by both compilers.
//
// Each argument is a 32-bit word: f32 if its enum value is a complement (~), else an integer.
// Memory addresses are byte offsets in the kernels' memory; optional ones may be 0.

/** f32 to f32, possibly in place. */
export enum LAYER_NORM {
  from,
  to,
  weight,
  bias,
  rows,
  width,
}

/** Arguments of packRows, which produces panels of i16, and of copyRows, whose panels are f32. */
export enum PACK_ROWS {
  /** f32 */
  from,
  /** floats from one row to the next; rows may overlap */
  stride,
  rows,
  /** a multiple of 8 */
  inputs,
  /** rows of a panel */
  height,
  to,
  /** f32, one per row; 1 if rows stay f32 */
  scales,
  /** weight and bias of a preceding layer norm; 0 for none */
  normWeight,
  normBias,
  /** the number of matrices, packed one after the other */
  matrices,
  /** floats from the first row of a matrix to that of the next */
  step,
  /** inputs of a block, a multiple of 8; only for rows of i16 */
  block,
}

/** Arguments of packValues, which produces panels of i16, and of copyValues, whose panels are f32. */
export enum PACK_VALUES {
  /** f32 */
  from,
  /** floats from one row to the next */
  stride,
  keys,
  to,
  /** f32, one per column; 1 if values stay f32 */
  scales,
  /** keys of a block, a multiple of 8; only for values of i16 */
  block,
}

export enum PRODUCT {
  /** panels of 6 */
  rows,
  rowScales,
  /** panels of 8 outputs */
  weights,
  weightScales,
  bias,
  /** f32, in the shape of the result, possibly the result itself; 0 for none */
  addend,
  /** f32 [rows][outputs] */
  to,
  rowCount,
  /** inputs and outputs are multiples of 8 */
  inputs,
  outputs,
  /** whether to apply GELU before the addition */
  gelu,
  rowPanelsInChunk,
  outputPanelsInChunk,
  /** inputs of a block, as in the packed rows and weights; 0: both are f32 */
  block,
}

export enum ATTENTION {
  /** panels of 6 per head, multiplied by SCORE_FACTOR */
  queries,
  queryScales,
  /** panels of 8 per head */
  keys,
  keyScales,
  /** output of packValues or copyValues */
  values,
  valueScales,
  /** f32 [frames][heads · 64] */
  to,
  frames,
  heads,
  /** keys of a block, as in the packed values; 0: everything is f32 */
  block,
}

/** A matrix in row-major order. Within each part, the groups of a panel are adjacent. */
export enum PACK_MATRIX {
  /** f32 */
  from,
  to,
  rows,
  /** from row to row */
  rowBytes,
  /** groups of inputs per row */
  groups,
  /** from panel to panel */
  panelBytes,
  groupsInPart,
  /** from part to part */
  partBytes,
  /** the values of the weights: see Grid in token-kernels.ts */
  grid,
}

/** A matrix in column-major order, the transpose of packMatrix's input. */
export enum PACK_TRANSPOSED {
  /** f32 */
  from,
  to,
  /** a multiple of 8 */
  rows,
  /** from column to column */
  columnBytes,
  columns,
  /** from panel to panel */
  panelBytes,
  /** as in PACK_MATRIX */
  grid,
}

export enum PACK_VECTORS {
  /** f32 [count][width] */
  from,
  to,
  /** f32, one per vector */
  scales,
  /** weight and bias of a preceding layer norm; 0 for none */
  normWeight,
  normBias,
  count,
  width,
  /** whether the vectors stay f32 */
  inFloats,
}

export enum MULTIPLY {
  matrix,
  /** output of one call of packVectors */
  vectors,
  /** scales of the vectors, f32 */
  scales,
  /** f32; the last panel is written whole */
  to,
  /** from one vector's results to the next */
  resultBytes,
  /** 0 for none */
  bias,
  /** a FINISH */
  finish,
  /** number of vectors */
  count,
  /** panels of the matrix */
  panels,
  /** groups of inputs per row */
  groups,
  panelsInChunk,
  /** 1, 2, or 4 for f32 */
  weightBytes,
}

export enum EMBED {
  /** the packed matrix of the vocabulary */
  embeddings,
  /** f32 [positions][width] */
  positions,
  /** the sequence table, with one TABLE_ENTRY per token */
  table,
  /** f32 [count][width] */
  to,
  /** number of tokens */
  count,
  width,
  /** 1, 2, or 4 for f32 */
  weightBytes,
}

export enum ATTEND_TOKENS {
  /** queries, keys and values: f32 [count][3 · width] */
  projected,
  /** f32 [count][width] */
  to,
  /** the sequence table, with one TABLE_ENTRY per vector */
  table,
  /** number of vectors */
  count,
  width,
  /** offset of the layer in a token's record */
  layerInRecord,
  /** whether keys and values are stored as f32 */
  inFloats,
}

export enum ATTEND_FRAMES {
  /** f32 [count][width] */
  queries,
  /** f32 [count][width], possibly in place */
  to,
  /** number of vectors */
  count,
  width,
  /** packed matrices, one per head */
  keys,
  values,
  /** from head to head */
  headKeysBytes,
  headValuesBytes,
  frames,
  /** the sequence table, with one TABLE_ENTRY per vector */
  table,
  /** i32 per head: offset of its weights in a token's alignment, or −1 to discard them */
  alignment,
  /** bytes of a number in keys and values; 4 for f32 */
  numberBytes,
}

export enum SUM_LOGITS {
  /** f32 [count][vocabulary, rounded up to 8] */
  logits,
  /** from row to row */
  rowBytes,
  vocabulary,
  /** f32 [count][blocks]: the maximum of each block */
  maxima,
  /** f32 [count][blocks]: the sum of e^(logit − maximum) */
  sums,
}

export enum LOG_MEL {
  /** f32; the first frame begins at the first sample */
  samples,
  /** f32 [400] */
  window,
  /** e^(−2πi·k/400) for k of 0 to 399, real and imaginary part (f32) */
  twiddles,
  /** per band: the first frequency and the number of frequencies (i32), and the address of the weights */
  filters,
  /** f32 [frames][bands] */
  to,
  /** f32, one per chunk */
  maxima,
  /** frames and bands are multiples of four */
  frames,
  bands,
}

export enum NORMALIZE_MEL {
  /** f32, in place */
  at,
  /** a multiple of four */
  count,
  /** lower limit to which smaller numbers are raised */
  least = ~2,
}

export enum DEQUANTIZE {
  /** ggml's type number */
  type,
  /** bytes of the file */
  from,
  /** f32 */
  to,
  count,
}
