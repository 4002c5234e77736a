// The growth of the server's memory during an upload of 500 MB. The body, a WAV of silence, is generated while it is
// sent; its job is cancelled once it is stored.

import { startServer } from '../../test/support/server.ts'
import { wavHeader } from '../../test/support/wav.ts'
import { type Measure, mebibytes, residentBytes, seconds } from './table.ts'

const MIB = 1024 * 1024

function upload(totalMib: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const chunk = new Uint8Array(MIB)
  let sent = 0
  return new ReadableStream({
    start(controller) {
      controller.enqueue(
        encoder.encode('--cut\r\ncontent-disposition: form-data; name="file"; filename="long.wav"\r\n\r\n'),
      )
      controller.enqueue(wavHeader({ dataBytes: totalMib * MIB, rate: 48_000, channels: 2 }))
    },
    pull(controller) {
      if (sent++ < totalMib) return controller.enqueue(chunk)
      controller.enqueue(encoder.encode('\r\n--cut--\r\n'))
      controller.close()
    },
  })
}

export const measureUpload: Measure = async ({ short }) => {
  await using server = await startServer()
  const totalMib = short ? 100 : 500
  const before = residentBytes(server.pid)
  let peak = before
  const watching = setInterval(() => {
    peak = Math.max(peak, residentBytes(server.pid))
  }, 25)
  const startedAt = performance.now()
  const response = await fetch(`${server.url}/captures?wait=false`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
    body: upload(totalMib),
  })
  const tookMs = performance.now() - startedAt
  clearInterval(watching)
  if (response.status !== 202) throw new Error(`upload: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  await fetch(`${server.url}/captures/${id}`, { method: 'DELETE' })
  return [
    {
      what: `upload of ${totalMib} MiB: growth of the server`,
      value: mebibytes(peak - before),
      note: `from ${mebibytes(before)}; stored and acknowledged in ${seconds(tookMs)}`,
    },
  ]
}
