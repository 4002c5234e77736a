import { useComputed } from '@preact/signals'
import { clockTime, figure } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { filled, strings } from '../strings/strings.ts'
import type { Playback } from './playback.ts'
import { RATES } from './playback.ts'
import { OutlineSlider } from './waveform.tsx'

type Props = { id: string; playback: Playback; durationSeconds: number }

export const Player = ({ id, playback, durationSeconds }: Props) => {
  const text = strings.value.capture
  if (playback.hasFailed.value) return <p class="card">{text.cannotPlay}</p>
  return (
    <section class="card player" aria-label={text.player}>
      <div class="row playbuttons">
        <button
          type="button"
          class="quiet icon"
          title={`${text.back5} (←)`}
          aria-label={text.back5}
          onClick={() => playback.skip(-5)}
        >
          <StepIcon name="back5" />
        </button>
        <PlayButton playback={playback} />
        <button
          type="button"
          class="quiet icon"
          title={`${text.forward5} (→)`}
          aria-label={text.forward5}
          onClick={() => playback.skip(5)}
        >
          <StepIcon name="forward5" />
        </button>
      </div>
      <OutlineSlider id={id} playback={playback} durationSeconds={durationSeconds} />
      <Place playback={playback} durationSeconds={durationSeconds} />
      <Speed playback={playback} />
    </section>
  )
}

/** An arrow around the number of seconds. */
const StepIcon = ({ name }: { name: 'back5' | 'forward5' }) => (
  <span class="stepicon" aria-hidden="true">
    <Icon name={name} size={26} />
    <span>5</span>
  </span>
)

const PlayButton = ({ playback }: { playback: Playback }) => {
  const { captures, keys } = strings.value
  const name = playback.isPlaying.value ? captures.pause : captures.play
  return (
    <button
      type="button"
      class="primary icon"
      title={`${name} (${keys.space})`}
      aria-label={name}
      onClick={() => playback.toggle()}
    >
      <Icon name={playback.isPlaying.value ? 'pause' : 'play'} isFull />
    </button>
  )
}

/** Rendered once a second instead of on every frame. */
const Place = ({ playback, durationSeconds }: Omit<Props, 'id'>) => {
  const second = useComputed(() => Math.floor(playback.time.value))
  return (
    <span class="place">
      {clockTime(second.value)} <span class="muted">/ {clockTime(durationSeconds)}</span>
    </span>
  )
}

const Speed = ({ playback }: { playback: Playback }) => {
  const text = strings.value.capture
  const rate = playback.rate.value
  return (
    <label class="speed">
      <span class="unseen">{text.speed}</span>
      <select
        title="Alt+↑ Alt+↓"
        value={String(rate)}
        onChange={({ currentTarget }) => {
          const steps = RATES.indexOf(Number(currentTarget.value)) - RATES.indexOf(rate)
          for (let step = 0; step < Math.abs(steps); step++) playback.changeRate(steps > 0 ? 1 : -1)
        }}
      >
        {RATES.map((one) => (
          <option key={one} value={String(one)}>
            {filled(text.times, { n: figure(one, 2) })}
          </option>
        ))}
      </select>
    </label>
  )
}
