// Creates the settings, dictionary, writing styles, commands and command history of the upgrade test's folder.

import type { Client, Json } from './client.ts'

export type Taught = { style: string; disabledStyle: string }

/** Except the retention limits and the webhook, which make-folder.ts sets. */
export async function makeTaught(client: Client): Promise<Taught> {
  await makeSettings(client)
  await makeDictionary(client)
  await makeCommands(client)
  return makeStyles(client)
}

async function makeSettings({ patch }: Client): Promise<void> {
  await patch('/settings/captures', {
    typing_wpm: 62,
    trash_days: 30_000,
    languages: ['en', 'de'],
    initial_prompt: 'Kubernetes, Zürich.',
    no_speech_threshold: 0.55,
    refine_timeout_ms: 5000,
    llm_model: 'a-model-of-mine',
    llm_api_key_env: 'DICTATION_LLM_KEY',
    chord_push_to_talk_keys: ['ControlLeft', 'Space'],
    allow_auto_paste: false,
    model_idle_unload_seconds: 900,
  })
}

async function makeDictionary({ post, patch, remove, url, token }: Client): Promise<void> {
  const entries = [
    { type: 'term', word: 'Kubernetes', aliases: ['cooper netties', 'kubernetis'] },
    { type: 'replacement', word: 'Helen', replacement: 'Helène', priority: 7 },
    { type: 'replacement', word: 'btw', replacement: 'by the way', language: 'en', case_sensitive: true },
    { type: 'snippet', word: 'my address', replacement: 'Bahnhofstrasse 1\n8001 Zürich' },
    { type: 'omit', word: 'you know', enabled: false },
    { type: 'replacement', word: 'ticket (\\d+)', replacement: 'T-$1', is_regex: true, whole_word: false },
    { type: 'term', word: 'Straße', language: 'de', source: 'learned' },
  ]
  for (const entry of entries) await post('/dictionary', entry)
  const changed = await post('/dictionary', { word: 'Grüezi' })
  await patch(`/dictionary/${changed.id}`, { aliases: ['gritsy'], priority: -3 })
  const gone = await post('/dictionary', { word: 'a word that was removed' })
  await remove(`/dictionary/${gone.id}`)
  const list = 'Winterthur | winter tour\nasap => as soon as possible ;; language=en\n'
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  const imported = await fetch(`${url}/dictionary/import`, { method: 'POST', headers, body: list })
  if (!imported.ok) throw new Error(`the import returned ${imported.status}: ${await imported.text()}`)
}

async function makeStyles({ get, post, put, patch, remove }: Client): Promise<Taught> {
  const { items } = await get('/writing-styles')
  const builtIn = items.filter(({ kind }: Json) => kind === 'builtin')
  await patch(`/writing-styles/${builtIn[1].id}`, { instructions: 'Short sentences.', priority: 4 })
  await patch(`/writing-styles/${builtIn[2].id}`, { enabled: false })
  const own = await post('/writing-styles', {
    name: 'Minutes',
    description: 'What was said in a meeting.',
    tone: 'formal',
    instructions: 'Write what was decided.',
    examples: [{ input: 'um we meet on friday', output: 'We meet on Friday.' }],
    rules: { capitalize: 'lower', trailing_period: 'strip', numbers: 'digits' },
    apps: ['Zoom'],
    app_categories: ['email'],
    url_patterns: ['meet.example.com'],
    language: 'en',
    priority: 12,
  })
  const disabled = await post('/writing-styles', { name: 'Diary', enabled: false })
  const gone = await post('/writing-styles', { name: 'Removed' })
  await remove(`/writing-styles/${gone.id}`)
  const byDefault = await post('/writing-styles', { name: 'Plain', rules: { trailing_space: false } })
  await put(`/writing-styles/${byDefault.id}/default`)
  return { style: own.id, disabledStyle: disabled.id }
}

async function makeCommands({ post, put, remove }: Client): Promise<void> {
  const steps = ['remove empty lines', 'upper case']
  await post('/commands', { name: 'Shout', triggers: ['bellow now', 'loud please'], steps })
  const changed = await post('/commands', { name: 'Tidy', triggers: ['tidy it'], steps })
  await put(`/commands/${changed.id}`, { name: 'Calm', triggers: ['calm it'], steps: ['lower case'] })
  await post('/commands', { name: 'Answer', triggers: ['answer it'], instructions: 'Answer politely.' })
  const gone = await post('/commands', { name: 'Removed', triggers: ['remove me'], steps })
  await remove(`/commands/${gone.id}`)
  // The first runs are cleared: no database may restore them.
  await post('/commands/run', { command: 'upper case', selected_text: 'this was cleared' })
  await remove('/commands/history')
  await post('/commands/run', { command: 'upper case', selected_text: 'a first line' })
  await post('/commands/run', { command: 'bellow now', selected_text: 'one\n\ntwo' })
  await post('/commands/run', { command: 'paint it blue', selected_text: 'no command does this' })
}
