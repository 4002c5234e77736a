// CTranslate2 in a long-running Python process, with random int8 weights in any published shape: the speed of its
// encoder and decoder does not depend on the text. Does not transcribe; faster-whisper.ts does.

import type { WhisperShape } from '../../../src/engine/whisper-tensors.ts'
import type { Peer, PeerResult } from './peer.ts'
import { openPythonPeer } from './python-peer.ts'

/**
 * Matrices of one size share their values; the end token is suppressed, so that the decoder produces exactly as many
 * tokens as requested.
 */
const PROGRAM = `
import json, shutil, sys, tempfile, time
import ctranslate2, numpy
from ctranslate2.specs import whisper_spec

threads, bands, width, encoder_layers, decoder_layers, text_tokens, frames, vocabulary = map(int, sys.argv[1:])
heads = width // 64
random = numpy.random.default_rng(1)
made = {}

def numbers(*shape):
    if shape not in made:
        made[shape] = (0.03 * random.uniform(-1, 1, shape)).astype(numpy.float32)
    return made[shape]

def linear(spec, outputs, inputs):
    spec.weight, spec.bias = numbers(outputs, inputs), numpy.zeros(outputs, numpy.float32)

def norm(spec):
    spec.gamma, spec.beta = numpy.ones(width, numpy.float32), numpy.zeros(width, numpy.float32)

def attention(spec, *outputs):
    norm(spec.layer_norm)
    for one, count in zip(spec.linear, outputs):
        linear(one, count, width)

spec = whisper_spec.WhisperSpec(encoder_layers, heads, decoder_layers, heads)
for part, positions in ((spec.encoder, frames), (spec.decoder, text_tokens)):
    part.position_encodings.encodings = numbers(positions, width)
    norm(part.layer_norm)
    for layer in part.layer:
        attention(layer.self_attention, 3 * width, width)
        norm(layer.ffn.layer_norm)
        linear(layer.ffn.linear_0, 4 * width, width)
        linear(layer.ffn.linear_1, width, 4 * width)
for layer in spec.decoder.layer:
    attention(layer.attention, width, 2 * width, width)
for conv, inputs in ((spec.encoder.conv1, bands), (spec.encoder.conv2, width)):
    conv.weight, conv.bias = numbers(width, inputs, 3), numpy.zeros(width, numpy.float32)
spec.decoder.embeddings.weight = spec.decoder.projection.weight = numbers(vocabulary, width)

END, START, UNTIMED = 50257, "<|startoftranscript|>", "<|notimestamps|>"
languages = [f"<|l{i}|>" for i in range(vocabulary - 51766)]
marks = ["<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>", "<|nospeech|>", UNTIMED]
tokens = [f"t{i}" for i in range(END)] + ["<|endoftext|>", START] + languages + marks
spec.register_vocabulary(tokens + [f"<|{i}|>" for i in range(vocabulary - len(tokens))])
spec.config.suppress_ids, spec.config.suppress_ids_begin = [], []
spec.config.lang_ids, spec.config.alignment_heads = [END + 2], [[0, 0]]
folder = tempfile.mkdtemp()
try:
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(folder)
    model = ctranslate2.models.Whisper(folder, device="cpu", compute_type="int8", intra_threads=threads)
finally:
    shutil.rmtree(folder)
del spec, made
mel = numpy.ascontiguousarray(random.uniform(-1, 1, (1, bands, 2 * frames)), numpy.float32)
mel = ctranslate2.StorageView.from_array(mel)
prompt = [tokens.index(START), tokens.index(UNTIMED)]

def timed(run):
    started = time.perf_counter()
    found = run()
    return 1000 * (time.perf_counter() - started), found

def write(encoded, length):
    options = dict(beam_size=1, max_length=length, suppress_tokens=[END], suppress_blank=False)
    ms, found = timed(lambda: model.generate(encoded, [prompt], **options))
    return ms, len(found[0].sequences_ids[0])

print(json.dumps({"version": ctranslate2.__version__}), flush=True)
for _ in sys.stdin:
    encode_ms, encoded = timed(lambda: model.encode(mel))
    few_ms, few = write(encoded, 8)
    many_ms, many = write(encoded, 64)
    token_ms = (many_ms - few_ms) / (many - few)
    print(json.dumps({"ms": encode_ms + few_ms + many_ms, "text": "", "encodeMs": encode_ms, "tokenMs": token_ms}), flush=True)
`

/**
 * @param python an interpreter with CTranslate2, which faster-whisper includes
 * @returns a function that encodes a full window of noise and decodes some tokens greedily, without returning their
 * text
 */
export const openCtranslate2 = async (
  python: string,
  { shape, threads }: { shape: WhisperShape; threads: number },
): Promise<Peer> => {
  const { melBands, audioWidth, audioLayers, textLayers, textTokens, audioFrames, vocabulary } = shape
  const sizes = [threads, melBands, audioWidth, audioLayers, textLayers, textTokens, audioFrames, vocabulary]
  const { version, request, close } = await openPythonPeer<PeerResult>(python, PROGRAM, sizes.map(String))
  return { name: `CTranslate2 ${version}, int8`, transcribe: () => request(''), close }
}
