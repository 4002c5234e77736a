// The supported formats and their signatures. frame-sync.ts has the formats without a header.

// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a format is recognised by any bytes

import type { AudioKind } from './audio-file.ts'

const kind = (format: string, mediaType: string, extension = format): AudioKind => ({
  format,
  mediaType,
  extension,
})

/** For formats without a registered media type. */
const other = (format: string, extension = format): AudioKind => kind(format, `audio/x-${format}`, extension)

export const KINDS = {
  wav: kind('wav', 'audio/wav'),
  avi: kind('avi', 'video/x-msvideo'),
  mp3: kind('mp3', 'audio/mpeg'),
  aac: kind('aac', 'audio/aac'),
  loas: kind('loas', 'audio/aac'),
  ac3: kind('ac3', 'audio/ac3'),
  dts: kind('dts', 'audio/vnd.dts'),
  gsm: kind('gsm', 'audio/x-gsm'),
  flac: kind('flac', 'audio/flac'),
  ogg: kind('ogg', 'audio/ogg'),
  webm: kind('webm', 'audio/webm'),
  matroska: kind('matroska', 'audio/x-matroska', 'mka'),
  mp4: kind('mp4', 'audio/mp4', 'm4a'),
  mov: kind('mov', 'video/quicktime'),
  threeGp: kind('3gp', 'audio/3gpp'),
  aiff: kind('aiff', 'audio/aiff'),
  mpegts: kind('mpegts', 'video/mp2t', 'ts'),
  realmedia: kind('realmedia', 'application/vnd.rn-realmedia', 'rm'),
} as const satisfies Record<string, AudioKind>

/** Names of the supported formats for users. */
export const ACCEPTED_FORMATS: readonly string[] = (
  'WAV, MP3, M4A, MP4, MOV, WebM, Matroska, Ogg, Opus, FLAC, AAC, AIFF, CAF, AU, AVI, MPEG-TS, MPEG-PS, WMA, AMR, ' +
  '3GP, AC-3, DTS, TrueHD, DSS, VOC, GSM, SPH, RealAudio, TTA, WavPack, APE, Musepack, TAK, Shorten, DSF, MXF, FLV'
).split(', ')

/** The length of the longest signature. */
const SIGNATURE_BYTES = 260

/** Matched against the first bytes of a file, one character per byte; the first match wins. */
const SIGNATURES: readonly (readonly [RegExp, AudioKind])[] = [
  // ACT recorders write a false WAV header; their own header extends to byte 512.
  [/^RIFF.{4}WAVE.{32}\0{16}.{196}\x84/s, other('act')],
  [/^(RIFF|RIFX|RF64|BW64).{4}WAVE/s, KINDS.wav],
  [/^riff\x2e\x91\xcf\x11/, kind('w64', 'audio/x-w64')],
  [/^(RIFF|ON2 ).{4}(AVI |AVIX|ON2f)/s, KINDS.avi],
  [/^RIFF.{4}AMV /s, kind('amv', 'video/x-amv')],
  [/^RIFF.{4}XWMA/s, other('xwma')],
  [/^RIFF.{4}QLCM/s, kind('qcp', 'audio/qcelp')],
  [/^fLaC/, KINDS.flac],
  [/^OggS\0/, KINDS.ogg],
  [/^FORM.{4}AIF[FC]/s, KINDS.aiff],
  [/^FORM.{4}(8SVX|16SV)/s, other('8svx')],
  [/^FORM.{4}MAUD/s, other('maud')],
  [/^caff\0/, kind('caf', 'audio/x-caf')],
  [/^\.snd\0/, kind('au', 'audio/basic')],
  [/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/, kind('asf', 'audio/x-ms-wma', 'wma')],
  [/^\xb7\xd8\0\x20\x37\x49\xda\x11/, kind('wtv', 'video/x-ms-wtv')],
  [/^#!AMR/, kind('amr', 'audio/amr')],
  [/^#!iLBC/, kind('ilbc', 'audio/ilbc', 'lbc')],
  [/^DTSHDHDR|^(\x7f\xfe\x80\x01|\xfe\x7f\x01\x80|\x1f\xff\xe8\0|\xff\x1f\0\xe8)/, KINDS.dts],
  [/^.{4}\xf8\x72\x6f\xba/s, kind('truehd', 'audio/vnd.dolby.mlp', 'thd')],
  [/^.{4}\xf8\x72\x6f\xbb/s, kind('mlp', 'audio/vnd.dolby.mlp')],
  [/^\0\0\x01\xba/, kind('mpegps', 'video/mpeg', 'mpg')],
  [/^FLV\x01/, kind('flv', 'video/x-flv')],
  [/^[FC]WS[\x01-\x20]/, kind('swf', 'application/vnd.adobe.flash.movie')],
  [/^\x06\x0e\x2b\x34\x02\x05\x01\x01/, kind('mxf', 'application/mxf')],
  [/^\0\0\0\0\x01\xbc/, kind('gxf', 'application/x-gxf')],
  [/^nut\/multimedia container\0/, kind('nut', 'video/x-nut')],
  [/^\x80\0.{1,230}\(c\)CRI/s, other('adx')],
  [/^(\x72\xf8\x1f\x4e)/, kind('spdif', 'audio/x-spdif')],
  [/^NSV[fs]/, kind('nsv', 'video/x-nsv')],
  [/^\x1f\x07\0[\x3f\xbf]/, kind('dv', 'video/dv')],
  [/^\.RMF/, KINDS.realmedia],
  [/^\.ra\xfd/, { ...KINDS.realmedia, extension: 'ra' }],
  [/^[\x02\x03]dss/, other('dss')],
  [/^Creative Voice File\x1a/, other('voc')],
  [/^NIST_1A/, other('sph')],
  [/^wvpk/, other('wavpack', 'wv')],
  [/^MAC /, other('ape')],
  [/^(MP\+|MPCK)/, other('musepack', 'mpc')],
  [/^TTA1/, other('tta')],
  [/^tBaK/, other('tak')],
  [/^ajkg/, other('shorten', 'shn')],
  [/^DSD /, other('dsf')],
  [/^FRM8.{8}DSD /s, other('dff')],
  [/^(EA3|ea3)/, other('oma')],
  [/^TWIN9/, other('twinvq', 'vqf')],
  [/^(\x64\xa3[\x01-\x04]\0|\0[\x01-\x04]\xa3\x64)/, other('ircam', 'sf')],
  [/^( paf|fap )/, other('paf')],
  [/^PVF1\n/, other('pvf')],
  [/^2BIT/, other('avr')],
  [/^(\.SoX|XoS\.)/, other('sox')],
  [/^\xf0\x7e.\x01/s, other('sds')],
  [/^ALawSoundFile\*\*/, other('wve')],
  [/^.{65}FSSD.{59}HCOM/s, other('hcom')],
  [/^MMMD/, other('smaf', 'mmf')],
]

/** Signatures too long to occur by chance, so a file that begins with something else is searched for them. */
const UNMISTAKABLE = [
  /RIFF.{4}WAVE(fmt |JUNK|bext|LIST)/s,
  /fLaC[\0\x80]\0\0\x22/,
  /OggS\0\x02/,
  /FORM.{4}AIF[FC](COMM|FVER)/s,
  /caff\0\x01\0\0desc/,
  /\0\0\0.ftyp(M4A |M4B |mp4[12]|isom|qt {2}|3gp)/s,
]

/** The format that matches the first bytes. */
export function kindBySignature(bytes: Uint8Array): AudioKind | null {
  const start = latin1(bytes.subarray(0, SIGNATURE_BYTES))
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1] ?? null
}

/** The offset of the first unmistakable signature, or null. */
export function findSignature(bytes: Uint8Array): number | null {
  const all = latin1(bytes)
  const found = UNMISTAKABLE.map((pattern) => all.search(pattern)).filter((at) => at >= 0)
  return found.length === 0 ? null : Math.min(...found)
}

/** One character per byte. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
