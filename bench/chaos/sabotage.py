"""Breaks one invariant on purpose, so that its check has to report it."""

import time

from .people import ENDED, OPEN

# Triggers and the guard of the audit log do not run for a replica.
_UNGUARDED = "set session_replication_role = replica;"


class Sabotage:
    """By the name of each act: the invariant whose check must see it."""

    SEEN_BY = {
        "delete_acknowledged_account": "lost", "forget_refresh": "lost", "restore_ended_session": "ended",
        "copy_spent_back": "spent", "second_owner": "owner", "delete_audit_row": "audit", "change_audit_row": "audit",
        "drop_successor": "rules",
    }

    def __init__(self, deployment, record, world):
        self.deployment, self.record, self.world = deployment, record, world

    def do(self, name):
        getattr(self, name)()
        # The gateways learn of changes in the database within a second.
        time.sleep(1.5)

    def sql(self, text):
        self.deployment.cluster.sql(_UNGUARDED + text)

    def person(self, test):
        return next(one for one in reversed(self.world.people) if one.status == "active" and not one.unsure and test(one))

    def refreshed(self):
        """Open sessions with a refresh, the newest first."""
        return [session for person in reversed(self.world.people) if person.status == "active"
                for session in person.sessions if session.state == OPEN and session.generation > 0]

    def delete_acknowledged_account(self):
        self.sql(f"delete from accounts where id = '{self.person(lambda one: one.is_guest).account}'")

    def forget_refresh(self):
        self.sql(f"update sessions set generation = generation - 1 where id = '{self.refreshed()[0].id}'")

    def restore_ended_session(self):
        ended = [session.id for person in self.world.people if person.status == "active"
                 for session in person.sessions if session.state == ENDED][-20:]
        self.sql("".join(f"update sessions set ended_at = null, end_reason = null where id = '{one}';" for one in ended))

    def copy_spent_back(self):
        """As a backup from before the use would."""
        self.sql("delete from spent; delete from spent_codes")

    def second_owner(self):
        one, other = self.person(lambda person: person.subjects), self.person(lambda person: person.is_guest)
        identity = next(iter(one.subjects))
        self.sql(f"""
            alter table identities drop constraint identities_subject;
            insert into identities (id, account_id, provider, realm, subject, linked_by)
            select gen_random_uuid(), '{other.account}', provider, realm, subject, 'sabotage'
              from identities where id = '{identity}'
            """)

    def delete_audit_row(self):
        request = next(reversed(self.record.changes))
        self.sql(f"delete from audit_sealed where request_id like '%.{request}'")

    def change_audit_row(self):
        request = next(iter(self.record.changes))
        self.sql(f"update audit_sealed set reason = 'sabotage' where request_id like '%.{request}'")

    def drop_successor(self):
        """A refresh without its row of the audit log."""
        self.sql(f"update sessions set generation = generation + 1 where id = '{self.refreshed()[1].id}'")
