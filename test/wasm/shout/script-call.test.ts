// Parsing of the scripts with which shout returns results, in the form that shout writes them.

import { expect, test } from 'bun:test'
import { readScriptCall } from '../../../wasm/shout/script-call.ts'

const script = (args: string) => `postMessage({cmd: "callHandler", handler: "onNewSegment", args: [${args}]})`

const token = (text: string) =>
  `{"text": "${text}","timestamps": {"from": "00:00:00,000","to": "00:00:00,100"},"offsets": {"from": 0,"to": 100},"id": 7,"p": 0.5}`

test('reads a number', () => {
  expect(readScriptCall('postMessage({cmd: "callHandler", handler: "onProgress", args: [98]})')).toEqual({
    handler: 'onProgress',
    args: [98],
  })
})

test.each([['a "quote"'], ['a\nbreak'], ['a \\'], ['}]})'], ['","'], ['\u2028']])(
  'skips the text %j',
  (text) => {
    const call = readScriptCall(script(`{"text": "${text}","tokens": [${token(text)}]}`))
    expect(call).toMatchObject({
      args: [{ text: '', tokens: [{ text: '', id: 7, p: 0.5, offsets: { to: 100 } }] }],
    })
  },
)

test.each([
  ['another call', 'fetch("http://example.com")'],
  ['code before it', `alert(1);${script('1')}`],
  ['code after it', `${script('1')};alert(1)`],
  ['code within it', script('alert(1)')],
  ['an expression', script('{"p": nan}')],
  ['nothing', ''],
])('rejects %s', (_, text) => {
  expect(readScriptCall(text)).toBeNull()
})
