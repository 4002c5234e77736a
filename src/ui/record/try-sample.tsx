// A button that transcribes the sample recording, which needs no permission and no microphone.

import { useState } from 'preact/hooks'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'

const SAMPLE = '/page/sample.mp3'

export const TrySample = ({ onStored }: { onStored: (id: string) => void }) => {
  const [isTrying, tryNow] = useState(false)
  const { record } = strings.value
  const trySample = async () => {
    tryNow(true)
    try {
      const body = await (await fetch(SAMPLE)).blob()
      const query = new URLSearchParams({ file_name: 'sample.mp3', title: record.sampleTitle, wait: 'false' })
      const headers = { 'content-type': 'audio/mpeg' }
      const { id } = await request<ListedCapture>(`/captures?${query}`, { method: 'POST', body, headers })
      onStored(id)
    } catch (error) {
      noteFault(error)
      tryNow(false)
    }
  }
  return (
    <button type="button" disabled={isTrying} onClick={() => void trySample()}>
      {record.trySample}
    </button>
  )
}
