// Takes in a form with one recording: fields before or after the file, all of them checked before anyone
// works on the recording. Storing the file is the caller's; what was stored for nothing is discarded here.

import type { Static, TObject } from '@sinclair/typebox'
import { fail, type Result, succeed } from '../../lib/result.ts'
import type { Connection } from './connection.ts'
import { createTextChecker, type TextValues } from './input.ts'
import { faultyNames, joinProblems } from './join-problems.ts'
import { propertyNamed } from './list-fields.ts'
import { boundaryOf, type FormPart, readFieldText, readMultipart } from './multipart.ts'
import { MultipartFault } from './multipart-fault.ts'
import { type Fault, invalidRequest, type Problem } from './problem.ts'
import { MAX_UNWANTED_BYTES } from './unwanted-body.ts'

const LIMITS = { maxHeaderBytes: 16 * 1024, maxParts: 100 }

/** All fields of one form together. */
const MAX_FIELD_BYTES = 1024 * 1024

/** What delimiters, heads and fields may add to the size of the file. */
const FORM_OVERHEAD_BYTES = 2 * 1024 * 1024

/** Whether what was sent says that it is a form. */
export const isForm = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')

/** The schema of a form's fields with its checker, made once for a route: compiling a schema takes milliseconds. */
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
  /** nothing follows any more */
  whole: boolean
  /** fields that the schema refuses: what depends on them cannot be told */
  faulty: ReadonlySet<string>
}

/** Of fields that all stand there from the beginning, and were found good. */
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
   * Checks what the schema cannot say of the fields that it finds nothing wrong with. Called with those that stand
   * before the file (`whole: false`) before it is stored, and with all of them after the form has ended.
   */
  check?: FormCheck<F>
  store: (part: FormPart) => Promise<Result<S, Problem>>
  discard: (stored: S) => Promise<void>
}

export type Form<F extends TObject, S> = { fields: Static<F>; fileName: string | null; stored: S }

/**
 * The fields, checked and converted, and what `store` made of the part called `file`.
 * Failures: 400 malformed_multipart or body_interrupted, 413 by declared or counted size, 422 with every
 * faulty field, or what `check` and `store` gave. After a failure nothing is left of the file.
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
  detail: `The file is larger than the ${Math.floor(maxFileBytes / 1024 ** 2)} MB this server takes.`,
  headers: CLOSE,
})

/** Programs written for Voicebox call it so. */
const OTHER_NAME_OF_FILE = 'audio'

/** Most programs name a file; one that only tells its type (RFC 7578, section 4.2) means a file, too. */
const isFile = ({ name, fileName, mediaType }: FormPart): boolean =>
  fileName !== null || (name === 'file' && mediaType !== null && !/^text\//i.test(mediaType))

/** Gathers one form, part by part. */
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
    // Web forms send every field they have: one that was left blank was not given.
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

  /** What is wrong already need not be stored; the fields that follow may add to it. */
  async function checkEarly(): Promise<Problem | null> {
    return problemIn(checkFields(values), { whole: false })
  }

  /** Everything that is wrong with the fields so far, which were checked by the schema. */
  async function problemIn(checked: Checked<F>, { whole }: { whole: boolean }): Promise<Problem | null> {
    const known = checked.ok ? faults : [...faults, ...checked.failure]
    const faulty = faultyNames(known, 'form')
    const good =
      known.length === 0 ? checked : checkFields(values.filter(([name]) => !faulty.has(meant(name))))
    const given = new Set(values.map(([name]) => meant(name)))
    // Defaults are no one's wish before the form has ended.
    const fields = Object.entries(good.ok ? (good.value as object) : {}).filter(
      ([name]) => whole || given.has(name),
    )
    const looked = await form.check?.(Object.fromEntries(fields) as Partial<Static<F>>, { whole, faulty })
    return joinProblems([known.length > 0 ? invalidRequest(known) : null, looked ?? null])
  }

  /** False when there is more of it than is worth reading: the form ends there. */
  async function skip(part: FormPart): Promise<boolean> {
    let bytes = 0
    for await (const chunk of part.body) {
      bytes += chunk.length
      if (bytes > MAX_UNWANTED_BYTES) brokeOff = true
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
      const problem = joinProblems([await problemIn(checked, { whole: true }), refusal])
      if (problem || !checked.ok || file === null || file.stored === null)
        return fail(problem ?? invalidRequest(faults))
      return succeed({ fields: checked.value, fileName: file.fileName, stored: file.stored })
    },

    /** What the file was refused for, whatever became of the rest of the form. */
    refused: () => refusal,

    async discard(): Promise<void> {
      if (file?.stored != null) await form.discard(file.stored)
    },
  }
}

const formFault = (path: string, message: string): Fault => ({ in: 'form', path, message })
