// The number by which each kernel is called; assembly/dispatch.ts knows the same.
// Says nothing of their arguments, which stand above each kernel.

export const KERNEL = {
  layerNorm: 10,
  packRows: 11,
  packValues: 12,
  product: 13,
  attention: 14,
  copyRows: 15,
  copyValues: 16,
  packMatrix: 30,
  packTransposed: 31,
  packVectors: 32,
  multiply: 33,
  embed: 34,
  attendTokens: 35,
  attendFrames: 36,
  logMel: 50,
  normalizeMel: 51,
  dequantize: 60,
} as const
