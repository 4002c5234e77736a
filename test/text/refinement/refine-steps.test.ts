// Each refinement step alone: what it changes, and what it must not change.

import { describe, expect, test } from 'bun:test'
import { applyCasing } from '../../../src/text/refinement/casing.ts'
import { applyTrailingPeriod, applyTrailingSpace } from '../../../src/text/refinement/ending.ts'
import { removeDiscourseWords, removeHesitations } from '../../../src/text/refinement/fillers.ts'
import { removeLoops } from '../../../src/text/refinement/loops.ts'
import { writeNumbers } from '../../../src/text/refinement/numbers.ts'
import { divideParagraphs } from '../../../src/text/refinement/paragraphs.ts'
import { applySelfCorrections } from '../../../src/text/refinement/self-corrections.ts'
import { repairSpacing } from '../../../src/text/refinement/spacing.ts'
import { writeSpokenPunctuation } from '../../../src/text/refinement/spoken-punctuation.ts'
import { joinSpokenSymbols } from '../../../src/text/refinement/spoken-symbols.ts'
import { removeStutters } from '../../../src/text/refinement/stutters.ts'
import { apply } from './apply.ts'

describe('loops', () => {
  const run = (text: string, language = 'en') => apply(removeLoops, text, language)

  test('reduces a runaway word, phrase or sentence to one copy', () => {
    expect(run('so so so so so so so what')).toBe('so what')
    expect(run('we can go, we can go, we can go, we can go, we can go, home')).toBe('we can go, home')
    expect(run('It is what it is. It is what it is. It is what it is. It is what it is. Bye.')).toBe(
      'It is what it is. Bye.',
    )
  })

  test('also removes a last copy that the end of the text cuts off', () => {
    expect(run('I see the sea. I see the sea. I see the sea. I see the sea. I see')).toBe('I see the sea')
  })

  test('keeps line breaks around removed copies', () => {
    expect(run('one\nno no no no no no no no\ntwo')).toBe('one\nno\ntwo')
    expect(run('Thanks.\nThanks.\nThanks.\nThanks.\nThanks.\nThanks.\n\nBye')).toBe('Thanks.\n\nBye')
  })

  test('keeps normal repetition, in any script', () => {
    for (const text of [
      'no, no, no, no, no',
      'very very very good',
      'ha ha ha ha',
      '哈哈哈哈哈哈',
      'ははははは',
    ])
      expect(run(text)).toBe(text)
  })

  test('keeps repeated numbers and digits', () => {
    const account = 'zero zero zero zero zero zero zero one'
    expect(run(account)).toBe(account)
    expect(run('0 0 0 0 0 0 0 1')).toBe('0 0 0 0 0 0 0 1')
  })

  test('shortens runaway characters in scripts without spaces and inside words', () => {
    expect(run('谢谢观看谢谢观看谢谢观看谢谢观看谢谢观看谢谢观看', 'zh')).toBe('谢谢观看')
    expect(run('สวัสดี'.repeat(12), 'th')).toBe('สวัสดี')
    expect(run(`a${'h'.repeat(60)}`)).toBe('ahhh')
  })
})

describe('hesitations', () => {
  const run = (text: string, language: string | null = 'en') => apply(removeHesitations, text, language)

  test('moves the capital of the sentence to the next word', () => {
    expect(run('Um, the plan. Uh, and the rest.')).toBe('The plan. And the rest.')
  })

  test('keeps a comma that belongs to its neighbours', () => {
    expect(run('Yes, um, that works.')).toBe('Yes, that works.')
    expect(run('It rained, uh, but we went.')).toBe('It rained, but we went.')
  })

  test('keeps words of another language that sound like a hesitation', () => {
    expect(run('um zehn Uhr hat er eh Zeit', 'de')).toBe('um zehn Uhr hat er eh Zeit')
    expect(run('um livro', 'pt')).toBe('um livro')
    expect(run('er is niets', 'nl')).toBe('er is niets')
  })

  test('without a language, keeps everything that is a word in any language', () => {
    expect(run('uh, um livro, er kam um zehn, euh, like', null)).toBe('um livro, er kam um zehn like')
  })

  test('keeps units, acronyms and quotations', () => {
    for (const text of ['5 mm wide', 'in the ER', 'he said "um, no"', 'uh-huh']) expect(run(text)).toBe(text)
  })
})

describe('discourse words', () => {
  test('are removed only if punctuation sets them off', () => {
    expect(apply(removeDiscourseWords, 'It was, like, huge. You know, huge.')).toBe('It was huge. Huge.')
    for (const text of ['It looks like rain.', 'Do you know, Anna?', 'Right, you know?', 'I mean it.'])
      expect(apply(removeDiscourseWords, text)).toBe(text)
  })
})

describe('stutters', () => {
  const run = (text: string, language = 'en') => apply(removeStutters, text, language)

  test('removes repeated function words and repeated starts of phrases', () => {
    expect(run('The the plan is is, is fine')).toBe('The plan is is, is fine')
    expect(run('I I I think we need to... we need to go')).toBe('I think we need to go')
    expect(run('b-but w-w-want')).toBe('but want')
  })

  test('keeps words that are correctly repeated', () => {
    for (const text of [
      'that that is',
      'had had',
      'bye bye now',
      'five five six',
      'well-known',
      're-read',
      'so-so',
    ])
      expect(run(text)).toBe(text)
    expect(run('die, die die Karten haben', 'de')).toBe('die, die die Karten haben')
    expect(run('nous nous levons', 'fr')).toBe('nous nous levons')
    expect(run('als je je vergist', 'nl')).toBe('als je je vergist')
  })
})

describe('self-corrections', () => {
  const run = (text: string, language = 'en') => apply(applySelfCorrections, text, language)

  test('replace words of the same kind', () => {
    expect(run('on Monday, no, Tuesday')).toBe('on Tuesday')
    expect(run('for 3 people, sorry, 4 people')).toBe('for 4 people')
    expect(run('周三，不对，周四见', 'zh')).toBe('周四见')
  })

  test('replace from the first common word', () => {
    expect(run('to the bank, no wait, to the post office')).toBe('to the post office')
    expect(run('mit dem Bus, nein, mit dem Zug', 'de')).toBe('mit dem Zug')
  })

  test('change nothing if in doubt', () => {
    for (const text of [
      'No, wait, there is more.',
      'I know, I mean it.',
      'It is late, sorry.',
      'We saw him, no wait, she left early.',
      '10 boxes, no, 12',
    ])
      expect(run(text)).toBe(text)
  })
})

describe('spoken punctuation', () => {
  const run = (text: string, language = 'en') => apply(writeSpokenPunctuation, text, language)

  test('writes brackets and quotation marks only in pairs', () => {
    expect(run('x open paren y close paren z')).toBe('x (y) z')
    expect(run('please open bracket the shelf')).toBe('please open bracket the shelf')
  })

  test('replaces punctuation that the engine put around the word', () => {
    expect(run('Well, comma, yes, period.')).toBe('Well, yes.')
    expect(run('Buy milk, new line, buy eggs.')).toBe('Buy milk\nBuy eggs.')
  })

  test('keeps the names of marks if they are nouns', () => {
    for (const text of [
      'the comma',
      'a short period of rain',
      'a big question mark',
      'my colon',
      'this new line',
    ])
      expect(run(text)).toBe(text)
    expect(run('drei Komma fünf', 'de')).toBe('drei Komma fünf')
    expect(run('改行を入れる', 'ja')).toBe('改行を入れる')
    expect(run('用逗号分隔', 'zh')).toBe('用逗号分隔')
  })

  test('puts a narrow space before French punctuation', () => {
    expect(run("ça va point d'interrogation", 'fr')).toBe('ça va\u202f?')
  })
})

describe('spoken symbols', () => {
  const run = (text: string, language = 'en') => apply(joinSpokenSymbols, text, language)

  test('joins addresses, files, identifiers and options', () => {
    expect(run('see https colon slash slash example dot com slash docs')).toBe('see https://example.com/docs')
    expect(run('in src slash main dot ts')).toBe('in src/main.ts')
    expect(run('max underscore retries')).toBe('max_retries')
    expect(run('with dash dash verbose')).toBe('with --verbose')
    expect(run('ana punto ruiz arroba ejemplo punto es', 'es')).toBe('ana.ruiz@ejemplo.es')
  })

  test('writes options after the name of a program', () => {
    expect(run('git commit dash m')).toBe('git commit -m')
    expect(run('git commit dash a dash m')).toBe('git commit -a -m')
    expect(run('Then run docker run dash i dash t ubuntu')).toBe('Then run docker run -i -t ubuntu')
    expect(run('git push dash u origin main')).toBe('git push -u origin main')
    expect(run('git commit minus m', 'de')).toBe('git commit -m')
  })

  test('keeps a dash that is not an option', () => {
    for (const text of [
      'git dash a tool that everybody has',
      'plan dash b works',
      'java dash jar app',
      'docker run dash it ubuntu',
      'git rebase dash i head',
      'I saw git yesterday, dash m',
      'the vitamins dash c and d',
    ])
      expect(run(text)).toBe(text)
  })

  test('keeps words that are not an address', () => {
    for (const text of [
      'the dot com bubble',
      'a red dot is there',
      'look at ten',
      'and slash or',
      'dash to the store',
    ])
      expect(run(text)).toBe(text)
  })
})

describe('numbers', () => {
  test('become digits outside protected text', () => {
    expect(apply(writeNumbers, 'forty-five copies of "forty-five"', 'en', { numbers: 'digits' })).toBe(
      '45 copies of "forty-five"',
    )
    expect(apply(writeNumbers, 'room 12', 'en', { numbers: 'words' })).toBe('room 12')
  })
})

describe('casing', () => {
  test('capitalizes sentences, but not after abbreviations', () => {
    expect(apply(applyCasing, 'see e.g. this. then go... on. user_id is set.')).toBe(
      'See e.g. this. Then go... on. user_id is set.',
    )
    expect(apply(applyCasing, 'ijs. īss', 'nl')).toBe('IJs. Īss')
  })

  test('removes capitals, except from acronyms and identifiers', () => {
    expect(apply(applyCasing, 'Ask NASA About iPhone', 'en', { capitalize: 'lower' })).toBe(
      'ask NASA about iPhone',
    )
  })
})

describe('spacing', () => {
  const run = (text: string, language = 'en') => apply(repairSpacing, text, language)

  test('repairs punctuation and spaces', () => {
    expect(run('a , b ,c  d . ( e ) !')).toBe('a, b, c d. (e)!')
    expect(run('well,, yes,. ')).toBe('well, yes.')
  })

  test('keeps intended spacing', () => {
    for (const text of ['wait...', 'no!!!', 'at 12:30', '1,000', ':)', 'a\n  - b', 'etc., and'])
      expect(run(text)).toBe(text)
    expect(run('Ça va ? Oui !', 'fr')).toBe('Ça va ? Oui !')
    expect(run('山田\u3000太郎', 'ja')).toBe('山田\u3000太郎')
  })

  test('writes Chinese and Japanese without spaces and with full-width punctuation', () => {
    expect(run('你好, 我 很 好.', 'zh')).toBe('你好，我很好。')
    expect(run('はい,そうです', 'ja')).toBe('はい、そうです')
  })
})

describe('the ending', () => {
  const period = (text: string, trailingPeriod: 'add' | 'strip') =>
    apply(applyTrailingPeriod, text, 'en', { trailingPeriod })

  test('gets a full stop only after words, numbers and quotations', () => {
    expect(period('all good', 'add')).toBe('all good.')
    expect(period('今天很好', 'add')).toBe('今天很好。')
    for (const text of ['what?', 'see https://example.com', '- a point', 'so:', ''])
      expect(period(text, 'add')).toBe(text)
  })

  test('loses its full stop, but keeps ellipses and abbreviations', () => {
    expect(period('Bye. See you.', 'strip')).toBe('Bye. See you')
    for (const text of ['wait...', 'at 3 p.m.', 'and so on, etc.', 'really?'])
      expect(period(text, 'strip')).toBe(text)
  })

  test('gets one space', () => {
    expect(apply(applyTrailingSpace, 'yes.', 'en', { trailingSpace: true })).toBe('yes. ')
    expect(apply(applyTrailingSpace, 'yes. ', 'en', { trailingSpace: true })).toBe('yes. ')
    expect(apply(applyTrailingSpace, '', 'en', { trailingSpace: true })).toBe('')
  })
})

describe('paragraphs', () => {
  test('divide a long line and keep short ones', () => {
    const sentence = (index: number) => `Sentence number ${'abcdefghijkl'[index]}${index} is here.`
    const text = Array.from({ length: 9 }, (_, index) => sentence(index)).join(' ')
    const divided = apply(divideParagraphs, text, 'en', { paragraphs: true })
    expect(divided.split('\n\n').map((one) => one.split('. ').length)).toEqual([3, 3, 3])
    expect(divided.replaceAll('\n\n', ' ')).toBe(text)
    expect(apply(divideParagraphs, sentence(1), 'en', { paragraphs: true })).toBe(sentence(1))
  })
})
