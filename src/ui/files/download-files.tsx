// Downloads the texts of all finished files of the queue in one archive.

import { useState } from 'preact/hooks'
import { CAPTURE_FORMATS } from '../captures/capture-actions.ts'
import { saveBlob } from '../parts/download-link.tsx'
import { attempt } from '../parts/toasts.tsx'
import { requestBlob } from '../server/request.ts'
import { strings } from '../strings/strings.ts'

export const DownloadFiles = ({ ids }: { ids: readonly string[] }) => {
  const [format, choose] = useState<string>('txt')
  const [isBusy, setBusy] = useState(false)
  const { files, capture, captures } = strings.value
  const download = async () => {
    setBusy(true)
    await attempt(async () =>
      saveBlob(
        await requestBlob('/captures/export', { method: 'POST', json: { ids, format, text: 'refined' } }),
      ),
    )
    setBusy(false)
  }
  return (
    <span class="row">
      <select
        aria-label={captures.format}
        value={format}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {CAPTURE_FORMATS.map((name) => (
          <option key={name} value={name}>
            {capture.formats[name]}
          </option>
        ))}
      </select>
      <button type="button" disabled={isBusy} onClick={() => void download()}>
        {files.downloadAll}
      </button>
    </span>
  )
}
