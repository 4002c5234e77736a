import type { HanLanguage } from '../number-language.ts'

export const japaneseNumbers: HanLanguage = {
  script: 'han',
  shortened: false,
  bareHundreds: true,
  idioms: [
    '八百屋',
    '八百長',
    '八百万の',
    '七五三',
    '五十嵐',
    '五十音',
    '九十九里',
    '三十三間堂',
    '十二単',
    '八十八夜',
    '四十九日',
    '五分五分',
    '千一夜',
  ],
  units:
    /^(?:円|ドル|ユーロ|時|分(?!の[一二三四五六七八九十百千0-9])|秒|キロ|メートル|センチ|ミリ|グラム|トン|リットル|歳|バイト|ピクセル|月(?=[一二三四五六七八九十0-9]{1,3}日))/u,
  unitsOfOne: /^月(?=[一二三四五六七八九十0-9]{1,3}日)/u,
  percent: { before: null, after: /^(?:パーセント|％)/u },
  minus: /マイナス$/,
}
