// Shown before the first recording: the sample, which needs no permission, and file upload.

import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { request } from '../server/request.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { showCapture } from './shown-capture.ts'
import { TrySample } from './try-sample.tsx'

export const FirstMinute = () => {
  const [isFirst, setFirst] = useState(false)
  useEffect(() => {
    request<ListOf<ListedCapture>>('/captures?limit=1').then(
      ({ total }) => setFirst(total === 0),
      () => {},
    )
  }, [])
  const { record } = strings.value
  if (!isFirst) return null
  return (
    <section class="firstminute" aria-label={record.firstSteps}>
      <p>{record.stays}</p>
      <p class="row">
        <TrySample onStored={showCapture} />
        <a class="button" href={linkTo(['files'])}>
          {record.files}
        </a>
      </p>
    </section>
  )
}
