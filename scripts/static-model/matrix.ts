/** The little linear algebra that the maker needs: means, unit length, principal components. */

/** Rows of equal length in one array. */
export interface Matrix {
  readonly data: Float32Array;
  readonly rows: number;
  readonly columns: number;
}

export function matrix(data: Float32Array, columns: number): Matrix {
  return { data, columns, rows: data.length / columns };
}

export function normaliseRows({ data, rows, columns }: Matrix): void {
  for (let row = 0; row < rows; row += 1) {
    const vector = data.subarray(row * columns, (row + 1) * columns);
    const length = Math.hypot(...vector) || 1;
    for (let i = 0; i < columns; i += 1) vector[i]! /= length;
  }
}

export function meanRow({ data, rows, columns }: Matrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let i = 0; i < data.length; i += 1) mean[i % columns]! += data[i]!;
  return mean.map((sum) => sum / rows);
}

export function subtractRow(target: Matrix, row: ArrayLike<number>): void {
  for (let i = 0; i < target.data.length; i += 1) target.data[i]! -= row[i % target.columns]!;
}

/** The `count` directions of most variance of centred rows, one per row, most important first. */
export function principalComponents({ data, rows, columns }: Matrix, count: number): Matrix {
  const covariance = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row += 1) {
    const start = row * columns;
    for (let i = 0; i < columns; i += 1) {
      const value = data[start + i]!;
      for (let j = i; j < columns; j += 1) covariance[i * columns + j]! += value * data[start + j]!;
    }
  }
  for (let i = 0; i < columns; i += 1) {
    for (let j = 0; j < i; j += 1) covariance[i * columns + j] = covariance[j * columns + i]!;
  }
  const { values, vectors } = eigen(covariance, columns);
  const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]!);
  const components = new Float32Array(count * columns);
  for (let c = 0; c < count; c += 1) {
    for (let i = 0; i < columns; i += 1) components[c * columns + i] = vectors[i * columns + order[c]!]!;
  }
  return matrix(components, columns);
}

export function project(source: Matrix, components: Matrix): Matrix {
  const { columns } = source;
  const out = new Float32Array(source.rows * components.rows);
  for (let row = 0; row < source.rows; row += 1) {
    for (let c = 0; c < components.rows; c += 1) {
      let sum = 0;
      for (let i = 0; i < columns; i += 1) {
        sum += source.data[row * columns + i]! * components.data[c * columns + i]!;
      }
      out[row * components.rows + c] = sum;
    }
  }
  return matrix(out, components.rows);
}

/** Eigenvalues and column eigenvectors of a symmetric matrix by Jacobi rotations. */
function eigen(symmetric: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const a = Float64Array.from(symmetric);
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) v[i * n + i] = 1;
  const total = a.reduce((sum, x) => sum + x * x, 0);
  for (let sweep = 0; sweep < 30; sweep += 1) {
    let off = 0;
    for (let i = 0; i < n; i += 1) for (let j = i + 1; j < n; j += 1) off += a[i * n + j]! ** 2;
    if (off < 1e-18 * total) break;
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) rotate(a, v, n, p, q);
    }
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]!), vectors: v };
}

/** Makes element (p, q) zero. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]!;
  if (apq === 0) return;
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * apq);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k += 1) {
    const akp = a[k * n + p]!;
    const akq = a[k * n + q]!;
    a[k * n + p] = c * akp - s * akq;
    a[k * n + q] = s * akp + c * akq;
  }
  for (let k = 0; k < n; k += 1) {
    const apk = a[p * n + k]!;
    const aqk = a[q * n + k]!;
    a[p * n + k] = c * apk - s * aqk;
    a[q * n + k] = s * apk + c * aqk;
    const vkp = v[k * n + p]!;
    const vkq = v[k * n + q]!;
    v[k * n + p] = c * vkp - s * vkq;
    v[k * n + q] = s * vkp + c * vkq;
  }
}
