// The progress of a job on a capture, with the time left and a cancel button.

import { useEffect, useRef } from 'preact/hooks'
import { announce } from '../parts/announcer.tsx'
import { percentText } from '../parts/figures.ts'
import { clockTime } from '../parts/times.ts'
import { noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { filled, strings } from '../strings/strings.ts'
import type { CaptureState, Work } from './capture-state.ts'

export const WorkUnderWay = ({ state }: { state: CaptureState }) => {
  const work = state.work.value
  const announced = useRef(0)
  const { capture: text } = strings.value
  const quarter = work === null ? 0 : Math.floor(work.progress * 4)
  useEffect(() => {
    if (work === null) {
      if (announced.current > 0) announce(text.workOver)
      announced.current = 0
    } else if (quarter >= announced.current) {
      announced.current = quarter + 1
      announce(filled(text.workAt, { percent: percentText(quarter / 4) }))
    }
  }, [work === null, quarter])
  if (work === null) return null
  const cancel = async (): Promise<void> => {
    try {
      await request(`/captures/${state.id}/cancel`, { method: 'POST' })
      await state.load()
    } catch (error) {
      noteFault(error)
    }
  }
  return (
    <section class="card underway">
      <label>
        {work.progress === 0 ? text.waiting : filled(text.workAt, { percent: percentText(work.progress) })}
        {leftText(work)}
        <progress value={work.progress} max={1} />
      </label>
      <button type="button" onClick={() => void cancel()}>
        {text.cancel}
      </button>
    </section>
  )
}

/** Extrapolated from the progress since the page was opened; below a tenth the estimate is too rough. */
function leftText({ progress, beganAt }: Work): string {
  if (progress < 0.1) return ''
  const spent = (Date.now() - beganAt) / 1000
  const left = (spent / progress) * (1 - progress)
  return left < 1 ? '' : ` · ${filled(strings.value.capture.timeLeft, { time: clockTime(left) })}`
}
