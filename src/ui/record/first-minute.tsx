// Shown before the first recording: the sample, which needs no permission, and file upload.

import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { ask } from '../server/ask.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { showKept } from './kept-shown.ts'
import { TrySample } from './try-sample.tsx'

export const FirstMinute = () => {
  const [isFirst, tell] = useState(false)
  useEffect(() => {
    ask<ListOf<ListedCapture>>('/captures?limit=1').then(
      ({ total }) => tell(total === 0),
      () => {},
    )
  }, [])
  const { record } = strings.value
  if (!isFirst) return null
  return (
    <section class="firstminute" aria-label={record.firstSteps}>
      <p>{record.stays}</p>
      <p class="row">
        <TrySample onKept={showKept} />
        <a class="button" href={linkTo(['files'])}>
          {record.files}
        </a>
      </p>
    </section>
  )
}
