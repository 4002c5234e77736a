// The wire form of models and downloads, with Voicebox's field names where it has them.

import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/schema.ts'
import { betterModelHint, exactName } from '../../models/catalogue.ts'
import { type DownloadState, fractionOf, percentOf } from '../../models/download-state.ts'
import type { ModelStatus } from '../../models/installed.ts'
import { jsonContent } from '../kernel/route.ts'
import { dateTime, strictObject, text } from '../kernel/schema.ts'

const maybe = (description: string) => nullable(Type.String(), { description })
const maybeMb = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description })

export const ModelSchema = strictObject(
  {
    model_name: Type.String({ description: 'value for `model` that selects exactly this file' }),
    alias_of: maybe(
      'for names that Voicebox uses: the `model_name` of the file that the name currently refers to, which is also in the list',
    ),
    display_name: Type.String(),
    size: maybe("null for the user's own file"),
    hf_repo_id: maybe('repository that publishes the file'),
    file: Type.String({ description: 'file name in the models folder' }),
    downloaded: Type.Boolean(),
    downloading: Type.Boolean(),
    progress: nullable(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'progress of a running or an interrupted download',
    }),
    size_mb: maybeMb('size on disk'),
    expected_size_mb: maybeMb('size as published'),
    loaded: Type.Boolean(),
    multilingual: nullable(Type.Boolean(), { description: 'null if unknown until the model is loaded' }),
    quantization: maybe("null for the user's own file; f16 is full precision"),
    sha256: maybe('SHA-256 of the published file'),
    recommended: Type.Boolean(),
    bundled: Type.Boolean({ description: 'ships with the server' }),
  },
  { $id: 'Model' },
)

export type WireModel = Static<typeof ModelSchema>

export const ModelsSchema = strictObject(
  {
    models: Type.Array(ModelSchema),
    hint: nullable(Type.String(), { description: 'suggestion for better transcripts' }),
  },
  { $id: 'ModelsStatus' },
)

export type DownloadView = { downloading: boolean; progress: number | null }

export const NOT_DOWNLOADING: DownloadView = { downloading: false, progress: null }

export const wireModel = (model: ModelStatus, { downloading, progress }: DownloadView): WireModel => ({
  model_name: exactName(model),
  alias_of: null,
  display_name: model.displayName,
  size: model.size,
  hf_repo_id: model.repository,
  file: model.file,
  downloaded: model.downloaded,
  downloading,
  progress,
  size_mb: model.sizeMb,
  expected_size_mb: model.expectedSizeMb,
  loaded: model.loaded,
  multilingual: model.multilingual,
  quantization: model.quantization,
  sha256: model.sha256,
  recommended: model.recommended,
  bundled: model.bundled,
})

/** A model that is being downloaded from outside the catalogue. */
export const wireUncatalogued = (state: DownloadState): WireModel => ({
  model_name: state.name,
  alias_of: null,
  display_name: state.name,
  size: null,
  hf_repo_id: null,
  file: state.file,
  downloaded: false,
  downloading: true,
  progress: fractionOf(state),
  size_mb: null,
  expected_size_mb: state.total === null ? null : Math.round(state.total / 1_000_000),
  loaded: false,
  multilingual: null,
  quantization: null,
  sha256: null,
  recommended: false,
  bundled: false,
})

const DownloadProgressSchema = strictObject(
  {
    model_name: Type.String({ description: 'the name as requested' }),
    current: Type.Integer({ minimum: 0, description: 'bytes on disk' }),
    total: nullable(Type.Integer({ minimum: 0 }), { description: 'null until known' }),
    progress: Type.Number({ minimum: 0, maximum: 100, description: 'percent; 100 only with `complete`' }),
    filename: Type.String(),
    status: oneOf(['downloading', 'verifying', 'complete', 'error', 'canceled']),
    bytes_per_second: nullable(Type.Integer({ minimum: 0 })),
    eta_seconds: nullable(Type.Integer({ minimum: 0 })),
    timestamp: dateTime(),
    error: nullable(Type.String(), { description: 'message for the user' }),
  },
  { $id: 'DownloadProgress' },
)

export type WireProgress = Static<typeof DownloadProgressSchema>

/** @param name the name that the client requested */
export const wireProgress = (state: DownloadState, name: string): WireProgress => ({
  model_name: name,
  current: state.current,
  total: state.total,
  progress: percentOf(state),
  filename: state.file,
  status: state.status,
  bytes_per_second: state.bytesPerSecond,
  eta_seconds: state.etaSeconds,
  timestamp: new Date().toISOString(),
  error: state.error,
})

/** The progress event for a model that needs no download. */
export const wireComplete = (
  name: string,
  { file, bytes }: { file: string; bytes: number },
): WireProgress => ({
  model_name: name,
  current: bytes,
  total: bytes,
  progress: 100,
  filename: file,
  status: 'complete',
  bytes_per_second: null,
  eta_seconds: null,
  timestamp: new Date().toISOString(),
  error: null,
})

export const progressExample: WireProgress = {
  model_name: 'small-q5_1',
  current: 95_042_743,
  total: 190_085_487,
  progress: 50,
  filename: 'ggml-small-q5_1.bin',
  status: 'downloading',
  bytes_per_second: 4_200_000,
  eta_seconds: 23,
  timestamp: '2026-01-31T12:00:00.000Z',
  error: null,
}

export const modelParams = strictObject({
  name: text({ description: 'name of the model; same values as `model`', minLength: 1, maxLength: 300 }),
})

export const modelMessage = <P extends TProperties>(more: P, $id: string) =>
  strictObject({ message: Type.String(), model_name: Type.String(), ...more }, { $id })

const MessageSchema = modelMessage({}, 'ModelMessage')

export const modelMessageContent = (message: string, name = 'base-q5_1') =>
  jsonContent(MessageSchema, { message, model_name: name })

const modelExample: WireModel = {
  model_name: 'base-q5_1',
  alias_of: null,
  display_name: 'Whisper Base (q5_1)',
  size: 'base',
  hf_repo_id: 'ggerganov/whisper.cpp',
  file: 'ggml-base-q5_1.bin',
  downloaded: true,
  downloading: false,
  progress: null,
  size_mb: 60,
  expected_size_mb: 60,
  loaded: true,
  multilingual: true,
  quantization: 'q5_1',
  sha256: '422f1ae452ade6f30a004d7e5c6a43195e4433bc370bf23fac9cc591f01a8898',
  recommended: false,
  bundled: true,
}

export const modelsExample = { models: [modelExample], hint: betterModelHint([]) }
