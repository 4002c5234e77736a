// Receives a form with one file. All fields, before or after the file, are checked before the caller gets the file.

import type { Static, TObject } from '@sinclair/typebox'
import { fail, type Result, succeed } from '../../lib/result.ts'
import type { Connection } from './connection.ts'
import { createTextChecker, invalidNames, mergeProblems, type TextValues } from './input.ts'
import { MAX_DRAINED_BYTES } from './json-body.ts'
import { boundaryOf, type FormPart, MultipartFault, readFieldText, readMultipart } from './multipart.ts'
import { type Fault, invalidRequest, type Problem } from './problem.ts'
import { propertyNamed } from './schema.ts'

const LIMITS = { maxHeaderBytes: 16 * 1024, maxParts: 100 }

/** All fields of one form together. */
const MAX_FIELD_BYTES = 1024 * 1024

/** How much delimiters, part headers and fields may add to the size of the file. */
const FORM_OVERHEAD_BYTES = 2 * 1024 * 1024

export const isForm = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')

/** The schema of a form's fields and its checker, created once for a route: compiling a schema takes milliseconds. */
export type FormFields<F extends TObject> = {
  schema: F
  check: (values: TextValues) => Checked<F>
}

type Checked<F extends TObject> = Result<Static<F>, Fault[]>

export const formFields = <F extends TObject>(schema: F): FormFields<F> => ({
  schema,
  check: createTextChecker(schema, 'form'),
})

export type FormStage = {
  /** the whole form has arrived */
  whole: boolean
  /** fields that the schema rejects; values that depend on them cannot be checked */
  faulty: ReadonlySet<string>
}

/** For fields that are all known from the start and valid. */
export const WHOLE: FormStage = { whole: true, faulty: new Set() }

export type FormCheck<F extends TObject> = (
  fields: Partial<Static<F>>,
  stage: FormStage,
) => Promise<Problem | null> | Problem | null

export type FormRequest<F extends TObject, S> = {
  request: Request
  connection: Connection
  fields: FormFields<F>
  maxFileBytes: number
  /**
   * Checks of valid fields that the schema cannot express. Called with the fields before the file (`whole: false`)
   * before the file is stored, and with all fields after the form has ended.
   */
  check?: FormCheck<F>
  store: (part: FormPart) => Promise<Result<S, Problem>>
  discard: (stored: S) => Promise<void>
}

export type Form<F extends TObject, S> = { fields: Static<F>; fileName: string | null; stored: S }

/**
 * Returns the fields, checked and converted, and the result of `store` for the part called `file`.
 * Failures: 400 malformed_multipart or body_interrupted, 413 by declared or counted size, 422 with every
 * faulty field, or the problem of `check` or `store`. After a failure the stored file is discarded.
 */
export async function receiveForm<F extends TObject, S>(
  form: FormRequest<F, S>,
): Promise<Result<Form<F, S>, Problem>> {
  const boundary = boundaryOf(form.request.headers.get('content-type') ?? '')
  if (boundary === null) {
    const detail = 'The Content-Type of the form has no usable boundary.'
    return fail({ code: 'malformed_multipart', detail, headers: CLOSE })
  }
  if (Number(form.request.headers.get('content-length') ?? 0) > form.maxFileBytes + FORM_OVERHEAD_BYTES) {
    return fail(tooLarge(form.maxFileBytes))
  }
  const intake = createIntake(form)
  try {
    for await (const part of readMultipart(form.request.body, boundary, LIMITS)) {
      if (!(await intake.take(part))) break
    }
    const result = await intake.finish()
    if (!result.ok) await intake.discard()
    return result
  } catch (error) {
    await intake.discard()
    if (!(error instanceof MultipartFault)) throw error
    return fail(closing(intake.refused() ?? { code: error.code, detail: error.message }))
  }
}

const CLOSE = { connection: 'close' }

const closing = (problem: Problem): Problem => ({ ...problem, headers: { ...problem.headers, ...CLOSE } })

const tooLarge = (maxFileBytes: number): Problem => ({
  code: 'file_too_large',
  detail: `The file is larger than the ${Math.floor(maxFileBytes / 1024 ** 2)} MB this server accepts.`,
  headers: CLOSE,
})

/** The name of the file in clients of Voicebox. */
const OTHER_NAME_OF_FILE = 'audio'

/** Most clients send a file name; a part named `file` with only a media type (RFC 7578, section 4.2) is a file, too. */
const isFile = ({ name, fileName, mediaType }: FormPart): boolean =>
  fileName !== null || (name === 'file' && mediaType !== null && !/^text\//i.test(mediaType))

/** Collects one form, part by part. */
function createIntake<F extends TObject, S>(form: FormRequest<F, S>) {
  const { schema, check: checkFields } = form.fields
  const values: [string, string][] = []
  const faults: Fault[] = []
  let fieldBytes = 0
  let file: { fileName: string | null; stored: S | null } | null = null
  let refusal: Problem | null = null
  let brokeOff = false

  const meant = (name: string) => propertyNamed(schema, name)
  const isIgnored = (name: string) =>
    schema.additionalProperties !== false && !Object.hasOwn(schema.properties, name)

  async function takeField(part: FormPart): Promise<boolean> {
    if (part.name === 'file') {
      faults.push(
        formFault('/file', 'must be sent as a file, with a file name; with curl: -F file=@/path/to/it'),
      )
      return skip(part)
    }
    const { text, bytes } = await readFieldText(part, MAX_FIELD_BYTES - fieldBytes)
    fieldBytes += bytes
    const name = meant(part.name)
    // Web forms send every field they have; an empty one counts as absent.
    if (text !== '' || !Object.hasOwn(schema.properties, name)) values.push([part.name, text])
    return true
  }

  async function takeFile(part: FormPart): Promise<boolean> {
    if (part.name !== 'file' && isIgnored(part.name)) return skip(part)
    if (part.name !== 'file' || file !== null) {
      faults.push(formFault(`/${part.name}`, noPlaceFor(part.name)))
      return skip(part)
    }
    file = { fileName: part.fileName, stored: null }
    refusal = await checkEarly()
    if (refusal) return skip(part)
    const stored = await form.store(part)
    if (stored.ok) file.stored = stored.value
    else refusal = stored.failure
    return stored.ok || skip(part)
  }

  const noPlaceFor = (name: string): string => {
    if (name === 'file') return 'must be given only once'
    if (Object.hasOwn(schema.properties, name)) return 'must be text, not a file'
    return 'is not known here; did you mean "file"?'
  }

  /** Skips storing the file if the fields so far are already invalid; later fields may add errors. */
  async function checkEarly(): Promise<Problem | null> {
    return problemIn(checkFields(values), { whole: false })
  }

  /** All errors of the fields so far; `checked` is the schema's result. */
  async function problemIn(checked: Checked<F>, { whole }: { whole: boolean }): Promise<Problem | null> {
    const known = checked.ok ? faults : [...faults, ...checked.failure]
    const faulty = invalidNames(known, 'form')
    const good =
      known.length === 0 ? checked : checkFields(values.filter(([name]) => !faulty.has(meant(name))))
    const given = new Set(values.map(([name]) => meant(name)))
    // Before the form has ended, the client may still send a field that has only its default now.
    const fields = Object.entries(good.ok ? (good.value as object) : {}).filter(
      ([name]) => whole || given.has(name),
    )
    const looked = await form.check?.(Object.fromEntries(fields) as Partial<Static<F>>, { whole, faulty })
    return mergeProblems([known.length > 0 ? invalidRequest(known) : null, looked ?? null])
  }

  /** False if the part is too long to read to its end; reading the form stops there. */
  async function skip(part: FormPart): Promise<boolean> {
    let bytes = 0
    for await (const chunk of part.body) {
      bytes += chunk.length
      if (bytes > MAX_DRAINED_BYTES) brokeOff = true
      if (brokeOff) return false
    }
    return true
  }

  return {
    /** False when no more parts are wanted. */
    take(sent: FormPart): Promise<boolean> {
      const part = sent.name === OTHER_NAME_OF_FILE ? { ...sent, name: 'file' } : sent
      return isFile(part) ? takeFile(part) : takeField(part)
    },

    async finish(): Promise<Result<Form<F, S>, Problem>> {
      if (brokeOff) return fail(closing(refusal ?? invalidRequest(faults)))
      form.connection.requestIsWhole()
      const checked = checkFields(values)
      if (file === null && !faults.some(({ path }) => path === '/file')) {
        faults.push(formFault('/file', 'is required'))
      }
      const problem = mergeProblems([await problemIn(checked, { whole: true }), refusal])
      if (problem || !checked.ok || file === null || file.stored === null)
        return fail(problem ?? invalidRequest(faults))
      return succeed({ fields: checked.value, fileName: file.fileName, stored: file.stored })
    },

    /** Why the file was rejected, however the rest of the form ended. */
    refused: () => refusal,

    async discard(): Promise<void> {
      if (file?.stored != null) await form.discard(file.stored)
    },
  }
}

const formFault = (path: string, message: string): Fault => ({ in: 'form', path, message })
