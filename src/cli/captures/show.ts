import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { duration } from '../terminal/report.ts'
import { fieldsText, localMinute, withoutControls } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'
import { captureId, type WireCaptureDetail } from './find.ts'

export async function showCommand({ server, report }: Tools, { args }: Given): Promise<number> {
  const id = await captureId(server, args[0]!)
  const capture = await server.request<WireCaptureDetail>('GET', `/captures/${id}`)
  report.answer(capture, () =>
    [fieldsText(fieldsOf(capture)), withoutControls(capture.text)].filter((part) => part !== '').join('\n\n'),
  )
  return EXIT.done
}

function fieldsOf(capture: WireCaptureDetail): [string, string | null][] {
  const { duration_ms: durationMs, detected_language: detected } = capture
  return [
    ['id', capture.id],
    ['title', capture.title],
    ['recorded', localMinute(capture.recorded_at)],
    ['length', durationMs === null ? null : duration(durationMs / 1000)],
    ['status', capture.status],
    ['error', capture.error?.message ?? null],
    ['source', capture.source],
    ['file', capture.file_name],
    ['application', [capture.app_name, capture.window_title].filter(Boolean).join(' – ')],
    ['language', detected ?? capture.language],
    ['model', capture.stt_model],
    ['words', String(capture.word_count)],
    ['refined', capture.refinement_status === 'none' ? null : capture.refinement_status],
    ['starred', capture.starred ? 'yes' : null],
    ['tags', capture.tags.join(', ') || null],
    ['in the trash since', capture.trashed_at === null ? null : localMinute(capture.trashed_at)],
    ['audio', capture.audio_available ? `${capture.audio_type}, ${capture.audio_bytes} bytes` : 'deleted'],
  ]
}
