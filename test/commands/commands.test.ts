// Command Mode with a real database, a real data folder and a real HTTP server that simulates the language model.

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { RunRequest } from '../../src/commands/command-run.ts'
import { type Commands, openCommands } from '../../src/commands/commands.ts'
import type { CommandContent } from '../../src/commands/saved-command.ts'
import { createLlmClient } from '../../src/llm/llm-client.ts'
import { completion, endless, type ModelServer, silence, startModelServer } from '../llm/model-server.ts'
import { createTestFolder } from '../support/database.ts'
import fc, { numRuns } from '../support/fast-check.ts'
import { libraryPlace } from '../support/library.ts'

const folder = await createTestFolder()
const database = await folder.open()
const { dataFolder } = folder
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const model = { llmBaseUrl: null as string | null, llmApiKeyEnv: null, llmModel: 'small' }
const open = async (): Promise<Commands> =>
  openCommands({
    ...(await libraryPlace({ database, dataFolder })),
    llm: createLlmClient({ readKey: () => undefined }),
    settings: { current: () => model },
  })

let commands: Commands
let server: ModelServer | null = null
beforeEach(async () => {
  model.llmBaseUrl = null
  commands = await open()
  for (const { id } of commands.saved.list()) await commands.saved.remove(id)
  await commands.history.clear()
})
afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  server = null
})

const nowhere = { appName: null, appId: null, windowTitle: null, url: null, before: null, after: null }
const request = (instruction: string, selectedText: string, more: Partial<RunRequest> = {}): RunRequest => ({
  ...{ instruction, selectedText, transcript: null, context: nowhere, style: null, language: null },
  ...{ model: null, dryRun: false, timeoutMs: 5000, startedAtMs: performance.now() },
  signal: new AbortController().signal,
  ...more,
})
const run = (instruction: string, selectedText = '', more: Partial<RunRequest> = {}) =>
  commands.run(request(instruction, selectedText, more))

const content = (more: Partial<CommandContent> = {}): CommandContent => ({
  ...{ name: 'Tidy list', triggers: ['tidy my list'], instructions: null },
  steps: ['remove empty lines', 'sort lines', 'bullet list'],
  ...more,
})
async function save(more: Partial<CommandContent> = {}) {
  const created = await commands.saved.create(content(more))
  if (!created.ok) throw new Error(JSON.stringify(created.failure))
  return created.value
}

describe('a run', () => {
  test('returns the full outcome of a transform', async () => {
    const outcome = await run('Put this in title case.', 'the lord of the rings')
    expect(outcome).toEqual({
      id: expect.any(String),
      ...{ status: 'succeeded', kind: 'transform', target: 'replace_selection', changed: true, keys: [] },
      command: { id: null, name: 'title case', instruction: 'Put this in title case.' },
      ...{ input: 'the lord of the rings', output: 'The Lord of the Rings' },
      ...{ usedLlm: false, model: null, transcript: null, error: null },
      ...{ durationMs: expect.any(Number), createdAt: expect.any(Date) },
    })
  })

  const cases: [what: string, instruction: string, text: string, expected: object][] = [
    [
      'returns keys to press',
      'press enter',
      'x',
      { status: 'succeeded', kind: 'action', target: 'none', keys: ['enter'], output: 'x', changed: false },
    ],
    [
      'inserts a line break',
      'new line',
      '',
      { status: 'succeeded', kind: 'insert', target: 'insert', output: '\n', changed: true },
    ],
    [
      'puts a count on the clipboard',
      'count the words',
      'a b',
      { status: 'succeeded', kind: 'transform', target: 'clipboard', output: '2 words' },
    ],
    [
      'returns no_changes when the output equals the input',
      'upper case',
      'ABC',
      { status: 'no_changes', target: 'none', output: 'ABC', changed: false, error: null },
    ],
    ['requires a text', 'upper case', '  ', { status: 'no_text', output: '  ', changed: false }],
    [
      'returns no_match when the text lacks the named words',
      'replace Monday with Tuesday',
      'Friday',
      { status: 'no_match', output: 'Friday', changed: false },
    ],
    [
      'returns unsupported for an unknown instruction without a language model',
      'make it formal',
      'abc',
      {
        ...{ status: 'unsupported', output: 'abc', changed: false },
        error: { code: 'llm_not_configured', message: expect.stringContaining('llm_base_url') },
      },
    ],
    [
      'does not treat dictation as a command',
      'I said press enter yesterday',
      'abc',
      { status: 'unsupported', output: 'abc', keys: [] },
    ],
    ['rejects an empty instruction', ' ', 'abc', { status: 'no_text', output: 'abc' }],
    ['rejects a long instruction', 'x'.repeat(4001), 'abc', { status: 'too_long', output: 'abc' }],
    [
      'never returns invalid text',
      'upper case',
      'a\u0000',
      { status: 'failed', output: 'a\u0000', changed: false },
    ],
  ]
  for (const [what, instruction, text, expected] of cases)
    test(what, async () => {
      expect(await run(instruction, text)).toMatchObject(expected)
    })

  test('changes nothing when canceled', async () => {
    const outcome = await run('upper case', 'abc', { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ status: 'canceled', output: 'abc', changed: false })
  })

  test('returns the input unless it succeeded, for any instruction and text', async () => {
    const anyInstruction = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('sort', 'remove the a', 'delete the last word'),
    )
    await fc.assert(
      fc.asyncProperty(anyInstruction, fc.string({ unit: 'grapheme' }), async (instruction, text) => {
        const outcome = await run(instruction, text, { dryRun: true })
        if (outcome.status !== 'succeeded') expect(outcome.output).toBe(text)
        expect(outcome.changed).toBe(outcome.output !== text)
      }),
      { numRuns: numRuns(200) },
    )
  })
})

describe('a saved command', () => {
  test('runs its steps in order and counts the use', async () => {
    const { id } = await save()
    const outcome = await run('Could you tidy my list, please?', 'b\n\na')
    expect(outcome).toMatchObject({
      status: 'succeeded',
      command: { id, name: 'Tidy list' },
      output: '- a\n- b',
    })
    expect(commands.saved.list()[0]).toMatchObject({ usageCount: 1, lastUsedAt: expect.any(Date) })
  })

  test('returns its keys after the text', async () => {
    await save({ steps: ['upper case', 'press enter'] })
    expect(await run('tidy my list', 'a')).toMatchObject({ output: 'A', keys: ['enter'], kind: 'transform' })
  })

  test('with only key steps is an action', async () => {
    await save({ steps: ['press enter', 'press tab'] })
    expect(await run('tidy my list')).toMatchObject({
      kind: 'action',
      keys: ['enter', 'tab'],
      target: 'none',
    })
  })

  test('changes nothing when one step fails', async () => {
    await save({ steps: ['upper case', 'replace Monday with Tuesday'] })
    const outcome = await run('tidy my list', 'abc')
    expect(outcome).toMatchObject({ status: 'no_match', output: 'abc', changed: false })
    expect(outcome.error!.message).toContain('replace Monday with Tuesday')
  })

  test('with instructions needs a language model', async () => {
    await save({ steps: null, instructions: 'make it rhyme' })
    expect(await run('tidy my list', 'abc')).toMatchObject({
      status: 'unsupported',
      error: { code: 'llm_not_configured' },
    })
  })

  test('survives a restart, with its usage count', async () => {
    const { id } = await save()
    await run('tidy my list', 'b\na')
    await commands.saved.close()
    expect((await open()).saved.list()).toMatchObject([{ id, triggers: ['tidy my list'], usageCount: 1 }])
  })

  test('can be replaced and removed', async () => {
    const { id } = await save()
    const replaced = await commands.saved.replace(
      id,
      content({ name: 'Shout', triggers: ['shout louder'], steps: ['upper case'] }),
    )
    expect(replaced).toMatchObject({ ok: true, value: { id, name: 'Shout' } })
    expect(await run('shout louder', 'a')).toMatchObject({ output: 'A' })
    expect(await run('tidy my list', 'a')).toMatchObject({ status: 'unsupported' })
    expect(await commands.saved.remove(id)).toMatchObject({ ok: true })
    expect(await commands.saved.remove(id)).toMatchObject({
      ok: false,
      failure: { code: 'command_not_found' },
    })
    expect((await open()).saved.list()).toEqual([])
  })

  test('can take the name of a deleted command', async () => {
    const { id } = await save()
    await commands.saved.remove(id)
    await save()
    expect((await open()).saved.list()).toHaveLength(1)
  })

  const refused: [what: string, more: Partial<CommandContent>, path: string][] = [
    ['neither steps nor instructions', { steps: null }, ''],
    ['both', { instructions: 'x' }, ''],
    ['a step that is not a command', { steps: ['upper case', 'make me rich'] }, '/steps/1'],
    ['a step that inserts', { steps: ['new line'] }, '/steps/0'],
    ['the name of a built-in command', { name: 'Title case' }, '/name'],
    ['a blank name', { name: ' ' }, '/name'],
    ['a phrase of a built-in command', { triggers: ['x y', 'Make that a bullet list!'] }, '/triggers/1'],
    ['a trigger of only punctuation and polite words', { triggers: ['please!'] }, '/triggers/0'],
    ['the same trigger twice', { triggers: ['do it all', 'Please do it all.'] }, '/triggers/1'],
  ]
  for (const [what, more, path] of refused)
    test(`rejects ${what}`, async () => {
      const created = await commands.saved.create(content(more))
      if (created.ok || created.failure.code !== 'invalid_command') throw new Error(JSON.stringify(created))
      expect(created.failure.faults.map((fault) => fault.path)).toContain(path)
      expect(commands.saved.list()).toEqual([])
    })

  test('rejects a name or trigger of another command, ignoring case and accents', async () => {
    const { id: conflictingId } = await save({ name: 'Größe', triggers: ['größe ändern'] })
    for (const more of [{ name: 'GROßE' }, { triggers: ['something else', 'Please, GRÖßE andern!'] }]) {
      const created = await commands.saved.create(content(more))
      expect(created).toMatchObject({ ok: false, failure: { code: 'command_exists', conflictingId } })
    }
  })
})

describe('the history', () => {
  test('is listed newest first, in pages, and can be cleared', async () => {
    for (const text of ['a', 'b', 'c']) await run('upper case', text)
    const { items, total } = await commands.history.list({ limit: 2, offset: 0 })
    expect([total, items.map(({ output }) => output)]).toEqual([3, ['C', 'B']])
    expect((await commands.history.list({ limit: 2, offset: 2 })).items.map(({ output }) => output)).toEqual([
      'A',
    ])
    expect(await commands.history.clear()).toBe(3)
    expect(await commands.history.list({ limit: 2, offset: 0 })).toEqual({ items: [], total: 0 })
  })

  test('stores the returned outcome', async () => {
    const outcome = await run('upper case', 'grüße 👋🏽')
    expect((await commands.history.list({ limit: 1, offset: 0 })).items).toEqual([outcome])
  })

  test('omits dry runs, which also count no use', async () => {
    await save()
    expect(await run('tidy my list', 'b\na', { dryRun: true })).toMatchObject({ status: 'succeeded' })
    expect((await commands.history.list({ limit: 1, offset: 0 })).total).toBe(0)
    expect(commands.saved.list()[0]!.usageCount).toBe(0)
  })
})

describe('a language model', () => {
  function simulateModel(answer: Parameters<typeof startModelServer>[0]) {
    server = startModelServer(answer)
    model.llmBaseUrl = server.baseUrl
    return server
  }

  test('receives the instruction, the text and its context', async () => {
    const { requests } = simulateModel(() => completion('Cannot make it. Sorry.'))
    const outcome = await run('make this polite', '  nope\n', {
      context: { ...nowhere, appName: 'Mail', before: 'Dear Anna,' },
      style: { name: 'Formal', tone: 'formal', instructions: 'Use whole sentences.' },
    })
    expect(outcome).toMatchObject({
      ...{ status: 'succeeded', output: '  Cannot make it. Sorry.\n', target: 'replace_selection' },
      ...{ usedLlm: true, model: 'played-model', command: { id: null, name: null } },
    })
    const { model: name, messages } = requests.at(-1)!.body!
    expect(name).toBe('small')
    expect(messages.at(-1)!.content).toBe('Instruction: make this polite\n\n<text>\nnope\n</text>')
    for (const part of ['Mail', 'Dear Anna,', 'Use whole sentences.'])
      expect(messages[0]!.content).toContain(part)
  })

  test('is the one named in the request', async () => {
    const { requests } = simulateModel(() => completion('x'))
    await run('make this polite', 'nope', { model: 'large' })
    expect(requests.at(-1)!.body!.model).toBe('large')
  })

  test('is not called if a rule matches', async () => {
    const { requests } = simulateModel(() => completion('x'))
    await run('upper case', 'a')
    expect(requests).toEqual([])
  })

  test('is called if a rule matches but does not apply to the text', async () => {
    simulateModel(() => completion('Hi there!'))
    expect(await run('change the tone to friendly', 'Hello.')).toMatchObject({
      status: 'succeeded',
      output: 'Hi there!',
    })
  })

  test('follows the instructions of a saved command', async () => {
    const { requests } = simulateModel(() => completion('Roses are red.'))
    const { id } = await save({ steps: null, instructions: 'make it rhyme' })
    const outcome = await run('tidy my list', 'abc')
    expect(outcome).toMatchObject({
      status: 'succeeded',
      command: { id, name: 'Tidy list' },
      output: 'Roses are red.',
    })
    expect(requests.at(-1)!.body!.messages.at(-1)!.content).toStartWith('Instruction: make it rhyme')
  })

  test('writes new text if nothing is selected', async () => {
    simulateModel(() => completion('Dear Anna, thank you!'))
    const outcome = await run('write a thank you note to Anna')
    expect(outcome).toMatchObject({
      status: 'succeeded',
      kind: 'insert',
      target: 'insert',
      output: 'Dear Anna, thank you!',
    })
  })

  test('has the wrapping of its answer removed', async () => {
    simulateModel(() => completion('Here is the revised text:\n<text>\nHello.\n</text>'))
    expect((await run('make this polite', 'hi')).output).toBe('Hello.')
  })

  const failing: [
    what: string,
    answer: Parameters<typeof startModelServer>[0],
    status: string,
    code: string,
  ][] = [
    ['refuses', () => completion("I'm sorry, but as an AI I cannot do that."), 'failed', 'llm_not_believed'],
    ['never stops answering', endless, 'failed', 'llm_too_large'],
    ['writes far too much', () => completion('word '.repeat(3000)), 'failed', 'llm_not_believed'],
    ['is cut off', () => completion('abc', { finish_reason: 'length' }), 'failed', 'llm_cut_off'],
    ['returns an empty answer', () => completion('  '), 'failed', 'llm_empty'],
    ['returns invalid text', () => completion('a\0b'), 'failed', 'llm_not_believed'],
    ['returns a server error', () => new Response('boom', { status: 500 }), 'failed', 'llm_http_error'],
    ['returns no JSON', () => new Response('<html>'), 'failed', 'llm_malformed'],
  ]
  for (const [what, answer, status, code] of failing)
    test(`changes nothing if it ${what}`, async () => {
      simulateModel(answer)
      expect(await run('make this polite', 'my text')).toMatchObject({
        ...{ status, error: { code }, output: 'my text', changed: false, target: 'none', usedLlm: true },
      })
    })

  test('changes nothing if it is unreachable', async () => {
    model.llmBaseUrl = 'http://127.0.0.1:1/v1'
    expect(await run('make this polite', 'my text')).toMatchObject({ status: 'failed', output: 'my text' })
  })

  test('is aborted after the time limit', async () => {
    simulateModel(silence)
    const outcome = await run('make this polite', 'my text', { timeoutMs: 100 })
    expect(outcome).toMatchObject({ status: 'timeout', output: 'my text', changed: false })
  })

  test('is aborted when the client disconnects', async () => {
    simulateModel(silence)
    const client = new AbortController()
    const running = run('make this polite', 'my text', { signal: client.signal })
    client.abort()
    expect(await running).toMatchObject({ status: 'canceled', output: 'my text', changed: false })
  })
})
