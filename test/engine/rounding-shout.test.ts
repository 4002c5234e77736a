import { expect, test } from 'bun:test'
import { withRounding } from './rounding-shout.ts'
import { readShoutScript } from './shout-in-browser.ts'

const moduleOf = (script: string) =>
  Buffer.from(/application\/octet-stream;base64,([\w+/=]+)/.exec(script)![1]!, 'base64')

const count = (module: Buffer, instruction: number[]) =>
  module.toString('hex').split(Buffer.from(instruction).toString('hex')).length - 1

test('adds one instruction in two places of shout', async () => {
  const script = await readShoutScript()
  const [plain, rounding] = [moduleOf(script), moduleOf(withRounding(script))]
  expect(WebAssembly.validate(rounding)).toBe(true)
  expect(rounding.length).toBe(plain.length + 4)
  const roundedTruncation = [0xfd, 0x6a, 0xfd, 0xf8, 0x01]
  expect(count(plain, roundedTruncation)).toBe(0)
  expect(count(rounding, roundedTruncation)).toBe(2)
})
