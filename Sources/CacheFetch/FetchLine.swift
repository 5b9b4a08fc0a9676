/// First in, first out, without moving the rest at each step.
struct FetchLine<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

/// Things to do later, the earliest first; of equal times the one added first.
struct FetchTimers<Element> {
  private struct Timer {
    let time: Duration
    let order: UInt64
    let element: Element

    func isBefore(_ other: Timer) -> Bool { (time, order) < (other.time, other.order) }
  }

  // A binary heap: no timer is before its parent.
  private var heap: [Timer] = []
  private var added: UInt64 = 0

  var first: Duration? { heap.first?.time }

  mutating func add(_ element: Element, at time: Duration) {
    heap.append(Timer(time: time, order: added, element: element))
    added += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the earliest, if it is due at `now`.
  mutating func popFirst(until now: Duration) -> Element? {
    guard let first = heap.first, first.time <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink()
    return first.element
  }

  private mutating func sink() {
    var parent = 0
    while let child = earlierChild(of: parent), heap[child].isBefore(heap[parent]) {
      heap.swapAt(child, parent)
      parent = child
    }
  }

  private func earlierChild(of parent: Int) -> Int? {
    let left = 2 * parent + 1
    guard left < heap.count else { return nil }
    let right = left + 1
    return right < heap.count && heap[right].isBefore(heap[left]) ? right : left
  }
}
