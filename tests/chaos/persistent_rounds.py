"""Rounds of persistent requests."""

from message_rounds import ANY, MessageRounds
from script_lines import BUFFERED


class PersistentRounds(MessageRounds):

    def start_persistent(self):
        comm = self.comm_for_messages()
        group = {rank: [] for rank in comm.members}
        tag_of_source = [self.random.randrange(3) for _ in comm.members]
        any_tag = self.chance(0.4)
        comm.any_tag = comm.any_tag or any_tag
        for _ in range(self.random.randint(1, 2 * comm.size)):
            source, dest = (self.random.randrange(comm.size) for _ in range(2))
            tag = tag_of_source[source]
            sender, receiver = comm.members[source], comm.members[dest]
            send, receive = self.new_id(), self.new_id()
            mode = self.mode()
            # Open MPI 4.1 sends zeros when a long buffered persistent send is started
            # again.
            length = 20 if mode == BUFFERED else self.length()
            self.emit(sender, 'send_init', mode, send, comm.number, dest, tag, length)
            group[sender].append((send, mode))
            self.emit(receiver, 'recv_init', receive, comm.number, source,
                      ANY if any_tag and self.chance(0.5) else tag)
            group[receiver].append((receive, None))
        self.persistent.append((comm, group))
        self.start(group)

    def start(self, group):
        for rank, slots in group.items():
            self.random.shuffle(slots)
            self.work(rank)
            while slots:
                count = len(slots) if self.chance(0.6) else self.random.randint(1, len(slots))
                part, slots = slots[:count], slots[count:]
                words = []
                for slot, mode in part:
                    words += [slot, 0 if mode is None else self.new_message(mode)]
                self.emit(rank, 'start', int(self.chance(0.6)), len(words), *words)
                self.work(rank, 0.2)

    def restart_persistent(self):
        clean = [group for comm, group in self.persistent if not comm.dirty]
        if not clean:
            return self.start_persistent()
        group = self.random.choice(clean)
        for rank, slots in group.items():
            self.work(rank)
            self.complete(rank, [slot for slot, _ in slots])
        return self.start(group)
