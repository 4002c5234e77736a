// What is offered to whoever has recorded nothing yet: the sample, which needs no permission, and files.
// What comes of the sample is kept-result.tsx's.

import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { noteFault } from '../parts/toasts.tsx'
import { ask } from '../server/ask.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { showKept } from './kept-shown.ts'

const SAMPLE = '/page/sample.mp3'

export const FirstMinute = () => {
  const [isFirst, tell] = useState(false)
  const [isTrying, tryNow] = useState(false)
  useEffect(() => {
    ask<ListOf<ListedCapture>>('/captures?limit=1').then(
      ({ total }) => tell(total === 0),
      () => {},
    )
  }, [])
  const { record } = strings.value
  if (!isFirst) return null
  const trySample = async () => {
    tryNow(true)
    try {
      const body = await (await fetch(SAMPLE)).blob()
      const query = new URLSearchParams({ file_name: 'sample.mp3', title: record.sampleTitle, wait: 'false' })
      const headers = { 'content-type': 'audio/mpeg' }
      const { id } = await ask<ListedCapture>(`/captures?${query}`, { method: 'POST', body, headers })
      showKept(id)
    } catch (error) {
      noteFault(error)
      tryNow(false)
    }
  }
  return (
    <section class="firstminute" aria-label={record.firstSteps}>
      <p>{record.stays}</p>
      <p class="row">
        <button type="button" disabled={isTrying} onClick={() => void trySample()}>
          {record.trySample}
        </button>
        <a class="button" href={linkTo(['files'])}>
          {record.files}
        </a>
      </p>
    </section>
  )
}
