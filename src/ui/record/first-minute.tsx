// Shown before the first recording: the sample, which needs no permission, and file upload.

import { useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { recentCaptures } from '../captures/recent-captures.ts'
import { Icon } from '../parts/icons.tsx'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { showCapture } from './stored-capture.ts'

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

export const FirstMinute = () => {
  const { record } = strings.value
  if (recentCaptures.value?.length !== 0) return null
  return (
    <section class="firstminute" aria-label={record.firstSteps}>
      <p>{record.stays}</p>
      <div class="card">
        <Icon name="play" size={24} />
        <p>{record.sampleHelp}</p>
        <TrySample onStored={showCapture} />
      </div>
      <div class="card">
        <Icon name="files" size={24} />
        <p>{record.filesHelp}</p>
        <a class="button" href={linkTo(['files'])}>
          {record.files}
        </a>
      </div>
    </section>
  )
}
