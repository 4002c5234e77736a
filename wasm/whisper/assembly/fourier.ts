// A Fourier transform of 400 real numbers, for four frames at once, one per lane. The caller provides the twiddles.

/** Bytes of a complex number of four frames: real parts, then imaginary parts. */
const COMPLEX: usize = 32
/** 400 real numbers are treated as 200 complex ones: even indices real, odd ones imaginary. */
const POINTS: i32 = 200

/** Cosines and sines of a fifth and of two fifths of a turn. */
const C1: f32 = 0.30901699437494745
const C2: f32 = -0.8090169943749475
const S1: f32 = 0.9510565162951535
const S2: f32 = 0.5877852522924731

/**
 * @param numbers 400 per lane; replaced by the powers of the frequencies 0 to 200
 * @param room scratch memory of the same size
 * @param twiddles e^(−2πi·k/400) for k of 0 to 399, real and imaginary part (f32)
 */
export function replaceByPowers(numbers: usize, room: usize, twiddles: usize): void {
  fifths(numbers, room, 200, 1, twiddles)
  fifths(room, numbers, 40, 5, twiddles)
  halves(numbers, room, 8, 25, twiddles)
  halves(room, numbers, 4, 50, twiddles)
  halves(numbers, room, 2, 100, twiddles)
  powersOfReal(room, numbers, twiddles)
}

/** The twiddle e^(−2πi·k/n) is at index k·400/n of the table. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function twiddleAt(twiddles: usize, place: i32): usize {
  return twiddles + ((<usize>place) << 3)
}

/** A radix-5 pass of Stockham's autosort transform: `stride` transforms of n points. */
function fifths(from: usize, to: usize, n: i32, stride: i32, twiddles: usize): void {
  const m = n / 5
  const gap = <usize>(m * stride) * COMPLEX
  const step = <usize>stride * COMPLEX
  const turn = 400 / n
  for (let p = 0; p < m; p++) {
    const w1 = twiddleAt(twiddles, p * turn)
    const w2 = twiddleAt(twiddles, 2 * p * turn)
    const w3 = twiddleAt(twiddles, 3 * p * turn)
    const w4 = twiddleAt(twiddles, 4 * p * turn)
    let x = from + <usize>p * step
    let y = to + <usize>(5 * p) * step
    for (let q = 0; q < stride; q++) {
      fifth(x, gap, y, step, w1, w2, w3, w4)
      x += COMPLEX
      y += COMPLEX
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function fifth(
  x: usize, gap: usize, y: usize, step: usize, w1: usize, w2: usize, w3: usize, w4: usize,
): void {
  const aRe = v128.load(x)
  const aIm = v128.load(x, 16)
  const bRe = v128.load(x + gap)
  const bIm = v128.load(x + gap, 16)
  const cRe = v128.load(x + 2 * gap)
  const cIm = v128.load(x + 2 * gap, 16)
  const dRe = v128.load(x + 3 * gap)
  const dIm = v128.load(x + 3 * gap, 16)
  const eRe = v128.load(x + 4 * gap)
  const eIm = v128.load(x + 4 * gap, 16)
  const outerRe = f32x4.add(bRe, eRe)
  const outerIm = f32x4.add(bIm, eIm)
  const innerRe = f32x4.add(cRe, dRe)
  const innerIm = f32x4.add(cIm, dIm)
  v128.store(y, f32x4.add(aRe, f32x4.add(outerRe, innerRe)))
  v128.store(y, f32x4.add(aIm, f32x4.add(outerIm, innerIm)), 16)
  const outerDifferenceRe = f32x4.sub(bRe, eRe)
  const outerDifferenceIm = f32x4.sub(bIm, eIm)
  const innerDifferenceRe = f32x4.sub(cRe, dRe)
  const innerDifferenceIm = f32x4.sub(cIm, dIm)
  const m1Re = f32x4.add(aRe, combine(outerRe, C1, innerRe, C2))
  const m1Im = f32x4.add(aIm, combine(outerIm, C1, innerIm, C2))
  const n1Re = combine(outerDifferenceRe, S1, innerDifferenceRe, S2)
  const n1Im = combine(outerDifferenceIm, S1, innerDifferenceIm, S2)
  storeTurned(y + step, f32x4.add(m1Re, n1Im), f32x4.sub(m1Im, n1Re), w1)
  storeTurned(y + 4 * step, f32x4.sub(m1Re, n1Im), f32x4.add(m1Im, n1Re), w4)
  const m2Re = f32x4.add(aRe, combine(outerRe, C2, innerRe, C1))
  const m2Im = f32x4.add(aIm, combine(outerIm, C2, innerIm, C1))
  const n2Re = combine(outerDifferenceRe, S2, innerDifferenceRe, -S1)
  const n2Im = combine(outerDifferenceIm, S2, innerDifferenceIm, -S1)
  storeTurned(y + 2 * step, f32x4.add(m2Re, n2Im), f32x4.sub(m2Im, n2Re), w2)
  storeTurned(y + 3 * step, f32x4.sub(m2Re, n2Im), f32x4.add(m2Im, n2Re), w3)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function combine(one: v128, factor: f32, other: v128, otherFactor: f32): v128 {
  return f32x4.add(f32x4.mul(one, f32x4.splat(factor)), f32x4.mul(other, f32x4.splat(otherFactor)))
}

/** Stores a complex number times a twiddle. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function storeTurned(to: usize, re: v128, im: v128, twiddle: usize): void {
  const wRe = v128.load32_splat(twiddle)
  const wIm = v128.load32_splat(twiddle, 4)
  v128.store(to, f32x4.sub(f32x4.mul(re, wRe), f32x4.mul(im, wIm)))
  v128.store(to, f32x4.add(f32x4.mul(re, wIm), f32x4.mul(im, wRe)), 16)
}

/** A radix-2 pass. */
function halves(from: usize, to: usize, n: i32, stride: i32, twiddles: usize): void {
  const m = n / 2
  const gap = <usize>(m * stride) * COMPLEX
  const step = <usize>stride * COMPLEX
  for (let p = 0; p < m; p++) {
    const w = twiddleAt(twiddles, p * (400 / n))
    let x = from + <usize>p * step
    let y = to + <usize>(2 * p) * step
    for (const end = x + step; x < end; x += COMPLEX) {
      const aRe = v128.load(x)
      const aIm = v128.load(x, 16)
      const bRe = v128.load(x + gap)
      const bIm = v128.load(x + gap, 16)
      v128.store(y, f32x4.add(aRe, bRe))
      v128.store(y, f32x4.add(aIm, bIm), 16)
      storeTurned(y + step, f32x4.sub(aRe, bRe), f32x4.sub(aIm, bIm), w)
      y += COMPLEX
    }
  }
}

/**
 * The powers of the 201 frequencies of the real numbers, from the transform Z of the complex ones. The transform of the
 * even indices is half the sum of Z(k) and the conjugate of Z(200 − k); that of the odd indices is half their difference
 * divided by i, which is multiplied by a twiddle, then added for frequency k and subtracted for 200 − k.
 */
function powersOfReal(from: usize, to: usize, twiddles: usize): void {
  const half = f32x4.splat(0.5)
  for (let k = 0; k <= POINTS / 2; k++) {
    const a = from + <usize>k * COMPLEX
    const b = from + <usize>(k == 0 ? 0 : POINTS - k) * COMPLEX
    const aRe = v128.load(a)
    const aIm = v128.load(a, 16)
    const bRe = v128.load(b)
    const bIm = v128.load(b, 16)
    const evenRe = f32x4.mul(half, f32x4.add(aRe, bRe))
    const evenIm = f32x4.mul(half, f32x4.sub(aIm, bIm))
    const oddRe = f32x4.mul(half, f32x4.add(aIm, bIm))
    const oddIm = f32x4.mul(half, f32x4.sub(bRe, aRe))
    const wRe = v128.load32_splat(twiddleAt(twiddles, k))
    const wIm = v128.load32_splat(twiddleAt(twiddles, k), 4)
    const turnedRe = f32x4.sub(f32x4.mul(oddRe, wRe), f32x4.mul(oddIm, wIm))
    const turnedIm = f32x4.add(f32x4.mul(oddRe, wIm), f32x4.mul(oddIm, wRe))
    storePower(to + ((<usize>k) << 4), f32x4.add(evenRe, turnedRe), f32x4.add(evenIm, turnedIm))
    storePower(to + ((<usize>(POINTS - k)) << 4), f32x4.sub(evenRe, turnedRe), f32x4.sub(evenIm, turnedIm))
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function storePower(to: usize, re: v128, im: v128): void {
  v128.store(to, f32x4.add(f32x4.mul(re, re), f32x4.mul(im, im)))
}
