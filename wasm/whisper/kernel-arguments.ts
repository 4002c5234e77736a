// The arguments of each kernel, in the order in which they lie beside the control block; read by both compilers.
// Passes none: callers write them by kernel-call.ts, kernels read them by assembly/arguments.ts.
//
// Each is a word of 32 bits: an f32 where the complement of its place stands, else an integer.
// Where something lies is a byte of the kernels' memory, and 0 where it may be missing.

/** f32 to f32, which may be the same rows. */
export enum LAYER_NORM {
  from,
  to,
  weight,
  bias,
  rows,
  width,
}

/** Of packRows, which makes panels of i16, and of copyRows, whose panels are f32. */
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
  /** f32, one of each row; 1 where rows stay f32 */
  scales,
  /** weight and bias of a layer norm that comes first, if one does */
  normWeight,
  normBias,
  /** packed one after the other */
  matrices,
  /** floats from the first row of a matrix to that of the next */
  step,
  /** inputs of a block, a multiple of 8: only rows of i16 have any */
  block,
}

/** Of packValues, which makes panels of i16, and of copyValues, whose panels are f32. */
export enum PACK_VALUES {
  /** f32 */
  from,
  /** floats from one row to the next */
  stride,
  keys,
  to,
  /** f32, one of each column; 1 where values stay f32 */
  scales,
  /** keys of a block, a multiple of 8: only values of i16 have any */
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
  /** f32 as the result, which it may be itself; 0: none */
  addend,
  /** f32 [rows][outputs] */
  to,
  rowCount,
  /** both are multiples of 8 */
  inputs,
  outputs,
  /** whether GELU comes before the addition */
  gelu,
  rowPanelsInChunk,
  outputPanelsInChunk,
  /** inputs of a block, as rows and weights were packed with; 0: both are f32 */
  block,
}

export enum ATTENTION {
  /** of each head panels of 6; multiplied by SCORE_FACTOR */
  queries,
  queryScales,
  /** of each head panels of 8 */
  keys,
  keyScales,
  /** as packValues or copyValues made them */
  values,
  valueScales,
  /** f32 [frames][heads · 64] */
  to,
  frames,
  heads,
  /** keys of a block, as the values were packed with; 0: everything is f32 */
  block,
}

/** A matrix whose rows lie row after row. A panel's groups lie side by side in each part. */
export enum PACK_MATRIX {
  /** f32 */
  from,
  to,
  rows,
  /** from row to row */
  rowBytes,
  /** of inputs, in a row */
  groups,
  /** from panel to panel */
  panelBytes,
  groupsInPart,
  /** from part to part */
  partBytes,
  /** which values weights have: see Grid in token-kernels.ts */
  grid,
}

/** A matrix whose columns lie one after another, which is the transpose of what packMatrix takes. */
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
  /** as packMatrix has it */
  grid,
}

export enum PACK_VECTORS {
  /** f32 [count][width] */
  from,
  to,
  /** f32, one of each vector */
  scales,
  /** weight and bias of a layer norm that comes first, if one does */
  normWeight,
  normBias,
  count,
  width,
  /** whether they stay f32 */
  inFloats,
}

export enum MULTIPLY {
  matrix,
  /** as packVectors made them, all of them at once */
  vectors,
  /** of the vectors, f32 */
  scales,
  /** f32; the last panel is stored whole */
  to,
  /** from one vector's results to the next one's */
  resultBytes,
  /** 0: none */
  bias,
  /** a FINISH */
  finish,
  /** of vectors */
  count,
  /** of the matrix */
  panels,
  /** of inputs, in a row */
  groups,
  panelsInChunk,
  /** 4: f32 */
  weightBytes,
}

export enum EMBED {
  /** the packed matrix of the vocabulary */
  embeddings,
  /** f32 [positions][width] */
  positions,
  /** the sequence table, with a TABLE_ENTRY for each token */
  table,
  /** f32 [count][width] */
  to,
  /** of tokens */
  count,
  width,
  /** 4: f32 */
  weightBytes,
}

export enum ATTEND_TOKENS {
  /** queries, keys and values: f32 [count][3 · width] */
  projected,
  /** f32 [count][width] */
  to,
  /** the sequence table, with a TABLE_ENTRY for each vector */
  table,
  /** of vectors */
  count,
  width,
  /** where the layer begins in a token's record */
  layerInRecord,
  /** whether keys and values are kept as f32 */
  inFloats,
}

export enum ATTEND_FRAMES {
  /** f32 [count][width] */
  queries,
  /** the same */
  to,
  /** of vectors */
  count,
  width,
  /** packed matrices, one for each head */
  keys,
  values,
  /** from head to head */
  headKeysBytes,
  headValuesBytes,
  frames,
  /** the sequence table, with a TABLE_ENTRY for each vector */
  table,
  /** i32 of each head: where its weights are kept in what is kept of a token, or −1 */
  alignment,
  /** of a number among keys and values; 4: f32 */
  numberBytes,
}

export enum SUM_LOGITS {
  /** f32 [count][vocabulary, up to the next 8] */
  logits,
  /** from row to row */
  rowBytes,
  vocabulary,
  /** f32 [count][blocks]: the largest of each block */
  maxima,
  /** the same: of e to the power of each less the largest */
  sums,
}

export enum LOG_MEL {
  /** f32; the first frame begins with the first */
  samples,
  /** f32 [400] */
  window,
  /** e^(−2πi·k/400) for k of 0 to 399, real and imaginary part (f32) */
  twiddles,
  /** of each band the first frequency and their number (i32), and where the weights begin (byte) */
  filters,
  /** f32 [frames][bands] */
  to,
  /** f32, one of each chunk */
  maxima,
  /** both are multiples of four */
  frames,
  bands,
}

export enum NORMALIZE_MEL {
  /** f32, in place */
  at,
  /** a multiple of four */
  count,
  /** what is less becomes this */
  least = ~2,
}

export enum DEQUANTIZE {
  /** ggml's number of it */
  type,
  /** bytes of the file */
  from,
  /** f32 */
  to,
  count,
}
