// The tensors that a Whisper model of a given shape consists of, by OpenAI's names.

/** The eleven numbers at the head of a ggml Whisper file, in file order. */
export type WhisperShape = {
  vocabulary: number
  audioFrames: number
  audioWidth: number
  audioHeads: number
  audioLayers: number
  textTokens: number
  textWidth: number
  textHeads: number
  textLayers: number
  melBands: number
  /** 1000 · version of the quantization + type */
  fileType: number
}

/** Frequencies of a 400-point FFT. */
export const FFT_BINS = 201

export type TensorShape = {
  name: string
  /** innermost first, as ggml writes them */
  dimensions: number[]
  /** a `plain` tensor is always f32; only matrices are quantized */
  role: 'plain' | 'convolution' | 'matrix'
}

const plain = (name: string, ...dimensions: number[]): TensorShape => ({ name, dimensions, role: 'plain' })

const matrix = (name: string, inputs: number, outputs: number): TensorShape => ({
  name,
  dimensions: [inputs, outputs],
  role: 'matrix',
})

const norm = (name: string, width: number) => [plain(`${name}.weight`, width), plain(`${name}.bias`, width)]

const linear = (name: string, inputs: number, outputs: number) => [
  matrix(`${name}.weight`, inputs, outputs),
  plain(`${name}.bias`, outputs),
]

const convolution = (name: string, inputs: number, outputs: number): TensorShape[] => [
  { name: `${name}.weight`, dimensions: [3, inputs, outputs], role: 'convolution' },
  plain(`${name}.bias`, 1, outputs),
]

const attention = (name: string, width: number) => [
  ...norm(`${name}_ln`, width),
  ...linear(`${name}.query`, width, width),
  // no bias: one of the keys would cancel out in the softmax
  matrix(`${name}.key.weight`, width, width),
  ...linear(`${name}.value`, width, width),
  ...linear(`${name}.out`, width, width),
]

const block = (name: string, width: number) => [
  ...attention(`${name}.attn`, width),
  ...norm(`${name}.mlp_ln`, width),
  ...linear(`${name}.mlp.0`, width, 4 * width),
  ...linear(`${name}.mlp.2`, 4 * width, width),
]

const layers = (count: number, tensorsOf: (layer: number) => TensorShape[]) =>
  Array.from({ length: count }, (_, layer) => tensorsOf(layer)).flat()

/** Every tensor exactly once; a file may contain them in any order. */
export const whisperTensors = (shape: WhisperShape): TensorShape[] => [
  plain('encoder.positional_embedding', shape.audioWidth, shape.audioFrames),
  ...convolution('encoder.conv1', shape.melBands, shape.audioWidth),
  ...convolution('encoder.conv2', shape.audioWidth, shape.audioWidth),
  ...layers(shape.audioLayers, (layer) => block(`encoder.blocks.${layer}`, shape.audioWidth)),
  ...norm('encoder.ln_post', shape.audioWidth),
  plain('decoder.positional_embedding', shape.textWidth, shape.textTokens),
  matrix('decoder.token_embedding.weight', shape.textWidth, shape.vocabulary),
  ...layers(shape.textLayers, (layer) => [
    ...block(`decoder.blocks.${layer}`, shape.textWidth),
    ...attention(`decoder.blocks.${layer}.cross_attn`, shape.textWidth),
  ]),
  ...norm('decoder.ln', shape.textWidth),
]
