"""Rounds of messages."""

from collective_rounds import CollectiveRounds
from communicators import NOBODY
from script_lines import BUFFERED, STANDARD, SYNCHRONOUS

ANY = -1   # source or tag


class MessageRounds(CollectiveRounds):

    def comm_for_messages(self):
        clean = [c for c in self.comms if not c.dirty]
        if not clean:
            self.clean(self.random.choice(self.comms))
            return self.comm_for_messages()
        # Prefers communicators that the program has made: most programs have few.
        return self.random.choice(clean + clean[1:])

    def soup(self):
        """Messages between any two ranks, none of them waited for at once."""
        comm = self.comm_for_messages()
        kind = self.random.choice(['exact', 'exact', 'tagged', 'streams', 'anything'])
        count = self.random.randint(1, 3 * comm.size)
        tags = [comm.fresh_tag, comm.fresh_tag + 1] if kind == 'tagged' else [0, 1, 2]
        if kind == 'tagged':
            comm.fresh_tag += 2
        tag_of_source = [self.random.choice(tags) for _ in range(comm.size)]
        # Few partners make longer streams.
        places = self.random.sample(range(comm.size), self.random.randint(1, comm.size))
        posts = {place: [] for place in range(comm.size)}
        sends = {place: [] for place in range(comm.size)}
        for _ in range(count):
            source, dest = self.random.choice(places), self.random.choice(places)
            tag = tag_of_source[source] if kind == 'streams' else self.random.choice(tags)
            sends[source].append((dest, tag))
            posts[dest].append((source, tag))
        for place, rank in enumerate(comm.members):
            receives = posts[place]
            self.random.shuffle(receives)
            if kind == 'tagged':
                receives = [(ANY if self.chance(0.8) else None, source, tag)
                            for source, tag in receives]
                # A wildcard might already have the message that an exact receive waits
                # for.
                wild = {tag for any_, _, tag in receives if any_ is not None}
                receives = [(ANY if tag in wild else source, tag)
                            for _, source, tag in receives]
            elif kind == 'streams':
                receives = [(source, ANY if self.chance(0.6) else tag)
                            for source, tag in receives]
                comm.any_tag = True
            elif kind == 'anything':
                exact = self.random.randint(0, len(receives))
                # The exact receives are posted first, and so take the first messages of
                # each stream.
                receives = receives[:exact] + [(ANY, ANY)] * (len(receives) - exact)
                comm.dirty = comm.any_tag = True
            self.post_and_send(comm, rank, receives, sends[place])
        if self.chance(0.4):
            for rank in comm.members:
                self.work(rank)
                self.complete_some(rank)

    def post_and_send(self, comm, rank, receives, sends):
        receives, sends = list(receives), list(sends)
        self.random.shuffle(sends)
        self.work(rank)
        while receives or sends:
            if receives and (not sends or self.chance(0.6)):
                source, tag = receives.pop(0)
                slot = self.new_id()
                self.emit(rank, 'irecv', slot, comm.number, source, tag)
                self.pending[rank].append(slot)
            else:
                dest, tag = sends.pop()
                self.send(comm, rank, dest, tag)
            self.work(rank, 0.12)

    def send(self, comm, rank, dest, tag):
        """A send that does not wait for its receive."""
        mode = self.mode()
        message = self.new_message(mode)
        if mode == BUFFERED and self.chance(0.4):
            self.emit(rank, 'send', mode, comm.number, dest, tag, message, self.length())
            return
        slot = self.new_id()
        self.emit(rank, 'isend', mode, slot, comm.number, dest, tag, message, self.length())
        self.pending[rank].append(slot)

    def receive(self, comm, rank, source, tag):
        """A receive that waits, in one of several ways."""
        how = self.random.randrange(6)
        slot = self.new_id()
        if how < 2:
            self.emit(rank, 'recv', slot, comm.number, source, tag, int(self.chance(0.3)))
        elif how == 2:
            self.emit(rank, 'irecv', slot, comm.number, source, tag)
            self.work(rank)
            self.complete(rank, [slot])
        elif how == 3:
            self.emit(rank, 'probe_recv', slot, int(self.chance(0.5)), comm.number, source, tag)
        else:
            self.emit(rank, 'mprobe', slot, int(self.chance(0.5)), comm.number, source, tag)
            self.work(rank, 0.2)
            if how == 4:
                self.emit(rank, 'mrecv', slot)
            else:
                self.emit(rank, 'imrecv', slot)
                self.pending[rank].append(slot)

    def pairs(self):
        """One message after another; sender and receiver are both in a blocking
        call."""
        comm = self.comm_for_messages()
        if comm.size < 2:
            return
        for _ in range(self.random.randint(1, 2 * comm.size)):
            source, dest = self.random.sample(range(comm.size), 2)
            sender, receiver = comm.members[source], comm.members[dest]
            tag = self.random.randrange(3)
            self.work(sender)
            self.work(receiver, 0.2)
            mode = self.mode()
            if self.chance(0.7):
                self.emit(sender, 'send', mode, comm.number, dest, tag, self.new_message(mode),
                          self.length())
            else:
                self.send(comm, sender, dest, tag)
            self.receive(comm, receiver, source, tag)

    def funnel(self):
        """Several ranks send to one, which receives in the order of arrival."""
        comm = self.comm_for_messages()
        if comm.size < 2:
            return
        dest = self.random.randrange(comm.size)
        tag = comm.fresh_tag
        comm.fresh_tag += 1
        anything = self.chance(0.3)
        receives = 0
        for source in range(comm.size):
            if source == dest:
                continue
            for _ in range(self.random.choice([0, 1, 1, 2])):
                receives += 1
                sender = comm.members[source]
                self.work(sender, 0.6)
                mode = self.mode()
                if self.chance(0.5):
                    self.emit(sender, 'send', mode, comm.number, dest, tag,
                              self.new_message(mode), self.length())
                else:
                    self.send(comm, sender, dest, tag)
        for _ in range(receives):
            self.work(comm.members[dest], 0.25)
            self.receive(comm, comm.members[dest], ANY, ANY if anything else tag)
        if anything:
            comm.dirty = comm.any_tag = True

    def late_answer(self):
        """A synchronous send that completes long before its receive does."""
        comm = self.comm_for_messages()
        if comm.size < 2:
            return
        source, dest = self.random.sample(range(comm.size), 2)
        sender, receiver = comm.members[source], comm.members[dest]
        tag = self.random.randrange(3)
        send, receive = self.new_id(), self.new_id()
        self.emit(sender, 'isend', SYNCHRONOUS, send, comm.number, dest, tag,
                  self.new_message(SYNCHRONOUS), self.length())
        self.complete(sender, [send])
        self.work(receiver, 0.9)
        self.emit(receiver, 'irecv', receive, comm.number, source, tag)
        self.work(receiver, 0.9)
        self.work(sender, 0.9)
        self.complete(receiver, [receive])
        self.work(sender, 0.5)

    def shift(self):
        comm = self.comm_for_messages()
        by = self.random.randrange(comm.size)
        line = self.chance(0.3)
        replace = self.chance(0.4)
        tag = self.random.randrange(3)
        length = self.length()
        for place, rank in enumerate(comm.members):
            dest, source = place + by, place - by
            if dest >= comm.size:
                dest = NOBODY if line else dest - comm.size
            if source < 0:
                source = NOBODY if line else source + comm.size
            self.work(rank)
            self.emit(rank, 'sendrecv', self.new_id(), int(replace), comm.number, dest, tag,
                      self.new_message(STANDARD), length, source, tag)

    def cancelled(self):
        """A receive without a message, which is cancelled."""
        comm = self.random.choice(self.comms)
        rank = self.random.choice(comm.members)
        waiting = self.to_cancel[rank]
        if waiting:
            slot = waiting.pop()
            self.emit(rank, 'cancel', slot)
            if self.chance(0.3):
                self.emit(rank, 'free', slot)
            else:
                self.pending[rank].append(slot)
            return
        slot = self.new_id()
        source = ANY if self.chance(0.7) else self.random.randrange(comm.size)
        self.emit(rank, 'irecv', slot, comm.number, source, 99)
        waiting.append(slot)

    def ghost(self):
        """A receive whose request is freed while active. It still takes its message;
        the next message of the stream goes to the next receive."""
        comm = self.comm_for_messages()
        source, dest = self.random.randrange(comm.size), self.random.randrange(comm.size)
        tag = self.random.randrange(3)
        sender, receiver = comm.members[source], comm.members[dest]
        slot = self.new_id()
        self.emit(receiver, 'irecv', slot, comm.number, source, tag)
        if self.chance(0.5):
            self.emit(receiver, 'free', slot)
        else:
            self.to_free[receiver].append(slot)
        # A standard send: a synchronous one would wait in vain for the tool's answer.
        send = self.new_id()
        self.emit(sender, 'isend', STANDARD, send, comm.number, dest, tag,
                  self.new_message(STANDARD), self.length())
        self.pending[sender].append(send)
