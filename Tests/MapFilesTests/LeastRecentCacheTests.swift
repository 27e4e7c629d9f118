import TestSupport
import Testing

@testable import MapFiles

@Suite("The cache of least recently used values")
struct LeastRecentCacheTests {
    @Test("The least recently used values are removed when there are more than the limit")
    func order() {
        var cache = LeastRecentCache<Int, String>(limit: 3)
        for key in 1...3 { cache.insert("\(key)", for: key, weight: 1) }
        #expect(cache.value(for: 1) == "1")
        cache.insert("4", for: 4, weight: 1)
        #expect(cache.value(for: 2) == nil)
        #expect(cache.value(for: 3) == "3" && cache.value(for: 1) == "1" && cache.value(for: 4) == "4")
        #expect(cache.count == 3 && cache.weight == 3)
    }

    @Test("A replaced value counts once, and one heavier than the cache isn't inserted")
    func weights() {
        var cache = LeastRecentCache<Int, String>(limit: 10)
        cache.insert("a", for: 1, weight: 4)
        cache.insert("b", for: 1, weight: 6)
        #expect(cache.value(for: 1) == "b" && cache.weight == 6 && cache.count == 1)
        cache.insert("c", for: 2, weight: 11)
        #expect(cache.value(for: 2) == nil && cache.count == 1)
        cache.insert("d", for: 3, weight: 10)
        #expect(cache.value(for: 1) == nil && cache.value(for: 3) == "d" && cache.weight == 10)
    }

    @Test("Any sequence of uses gives the same as a list in the order of use")
    func model() {
        let random = SeededRandom(seed: 7)
        var cache = LeastRecentCache<UInt64, UInt64>(limit: 50)
        var model: [(key: UInt64, value: UInt64, weight: Int)] = []
        for step in UInt64(0)..<20_000 {
            let key = random.uint64() % 30
            let known = model.firstIndex { $0.key == key }
            if random.uint64() % 2 == 0 {
                #expect(cache.value(for: key) == known.map { model[$0].value })
                if let known { model.append(model.remove(at: known)) }
            } else {
                let weight = Int(random.uint64() % 9) + 1
                cache.insert(step, for: key, weight: weight)
                if let known { model.remove(at: known) }
                model.append((key, step, weight))
                while model.reduce(0, { $0 + $1.weight }) > 50 { model.removeFirst() }
            }
            #expect(cache.count == model.count && cache.weight == model.reduce(0) { $0 + $1.weight })
        }
    }
}
