// Uses the ONNX file of the speech detector.

import { expect, test } from 'bun:test'
import { readTensors, readWeights } from '../../../src/audio/silero/weights.ts'

const path = Bun.fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
const file = await Bun.file(path).bytes()

test('finds the weights of both branches of the graph, with their shapes', () => {
  const shapes = [...readTensors(file)]
    .filter(([name]) => name.endsWith('encoder.0.reparam_conv.weight'))
    .map(([, { shape, values }]) => [...shape, values.length])
  expect(shapes.sort()).toEqual([
    [128, 129, 3, 128 * 129 * 3],
    [128, 65, 3, 128 * 65 * 3],
  ])
})

test('rejects a file that is truncated anywhere', () => {
  for (let part = 1; part < 40; part += 1) {
    const cut = file.subarray(0, Math.floor((file.length * part) / 40))
    expect(() => readWeights(cut)).toThrow(RangeError)
  }
})

test('rejects a file that is not ONNX, and names the missing tensor', () => {
  expect(() => readWeights(new Uint8Array())).toThrow('no tensor decoder.decoder.2.bias of shape 1')
  expect(() => readWeights(new TextEncoder().encode('<!doctype html>'))).toThrow(Error)
  expect(() => readWeights(new Uint8Array(100).fill(255))).toThrow(RangeError)
})
