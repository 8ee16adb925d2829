"""Breaks one invariant on purpose, so that its check has to report it."""

import base64
import hashlib
import time

from .methods import device_digest
from .people import ENDED, OPEN

# Triggers and the guard of the audit log do not run for a replica.
_UNGUARDED = "set session_replication_role = replica;"


class Sabotage:
    """By the name of each act: the checks that must see it."""

    SEEN_BY = {
        "delete_acknowledged_account": "lost_accounts", "forget_refresh": "lost_sessions", "restore_ended_session": "ended_sessions",
        "copy_spent_back": "spent_credentials", "second_owner": "owner", "delete_audit_row": "audit",
        "delete_command_row": "audit", "change_audit_row": "audit", "drop_successor": "rules",
        "restore_address": "lost_methods", "change_main_address": "lost_methods",
        # Before the same user's app is missing.
        "delete_box": "lost_factors lost_boxes",
        # The check of the app signs in with codes. Some of them are valid after it.
        "delete_app": "lost_factors lost_questions", "forget_code": "spent_codes", "forget_recovery_code": "spent_codes",
        "restore_app": "lost_factors", "delete_recovery_codes": "lost_factors",
        "delete_device": "lost_devices", "restore_device": "ended_devices",
        "delete_passkey": "lost_passkeys", "restore_passkey": "ended_passkeys", "delete_key": "lost_keys",
        "restore_key": "ended_keys", "restore_app_use": "ended_sessions", "delete_grant": "lost_grants",
        "forget_event": "lost_events", "restore_device_code": "spent_device_codes",
    }

    def __init__(self, deployment, record, world):
        self.deployment, self.record, self.world = deployment, record, world

    def do(self, name):
        """Breaks something; returns words, each of which the check must report. None: the run left nothing for this act."""
        try:
            words = getattr(self, name)() or [""]
        except (StopIteration, IndexError):
            return None
        except SystemExit as error:
            self.record.note(f"{name} failed: {error}")
            return None
        # The gateways learn of changes in the database within a second.
        time.sleep(1.5)
        return words

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
        request = next(one for one in reversed(self.record.changes) if not one.startswith("cli-"))
        self.sql(f"delete from audit_sealed where request_id like '%.{request}'")
        return [f"({request}) has no row"]

    def delete_command_row(self):
        request = next(one for one in reversed(self.record.changes) if one.startswith("cli-"))
        self.sql(f"delete from audit_sealed where words = 'chaos {request}'")
        return [f"({request}) has no row"]

    def change_audit_row(self):
        request = next(one for one in self.record.changes if not one.startswith("cli-"))
        self.sql(f"update audit_sealed set reason = 'sabotage' where request_id like '%.{request}'")

    def drop_successor(self):
        """A refresh without its row of the audit log."""
        self.sql(f"update sessions set generation = generation + 1 where id = '{self.refreshed()[1].id}'")

    # Second factors, passkeys and device codes

    def with_app(self):
        return self.person(lambda one: one.app and one.password)

    def delete_app(self):
        person = self.with_app()
        self.sql(f"delete from factors where id = '{person.app.id}'; update accounts set mfa = false where id = '{person.account}'")
        return [f"the app {person.app.id}", f"{person.account} is not asked"]

    def restore_app(self):
        person = self.person(lambda one: one.removed_factors)
        self.sql(f"""
            insert into factors (id, account_id, kind, sealed, counter)
            values ('{person.removed_factors[-1]}', '{person.account}', 'totp', '\\x00', 0)""")
        return [f"the removal of the factor {person.removed_factors[-1]}"]

    def delete_recovery_codes(self):
        person = self.person(lambda one: one.app and one.app.has_codes and one.app.codes)
        self.sql(f"delete from recovery_codes where account_id = '{person.account}' and used_at is null")
        return [f"{person.account} has 0 recovery codes"]

    def delete_passkey(self):
        person = self.person(lambda one: one.passkeys)
        self.sql(f"delete from passkeys where id = '{person.passkeys[-1].id}'")
        return [f"the passkey {person.passkeys[-1].id}", f"a passkey of {person.account}"]

    def restore_passkey(self):
        person = self.person(lambda one: one.removed_passkeys)
        passkey = person.removed_passkeys[-1]
        self.sql(f"""
            insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, backup_eligible,
                                  backed_up, attestation)
            values ('{passkey.id}', '{person.account}', '\\x{passkey.credential.hex()}', '\\x{passkey.handle.hex()}',
                    '\\x{passkey.authenticator.public_key().hex()}', -7, 0, true, true, 'none')""")
        return [f"{gateway.machine.name} accepts the removed passkey {passkey.id}" for gateway in self.deployment.gateways]

    def forget_code(self):
        """Of all apps. The check sends those codes again that are still valid."""
        # The app of the newest one is gone.
        app = [one for one in self.world.people if one.status == "active" and one.app and one.password and not one.unsure][-2].app
        self.sql("update factors set counter = 0 where kind = 'totp'")
        # The check comes some seconds later.
        return [f"a code of the app {app.id} is forgotten"] + [f"the app {app.id} is accepted again"] * app.is_timely(1)

    def forget_recovery_code(self):
        person = self.person(lambda one: one.app and one.app.has_codes and one.app.used_codes)
        self.sql(f"update recovery_codes set used_at = null where account_id = '{person.account}'")
        return [f"a recovery code of {person.account}"]

    # Addresses, mailboxes and numbers, remembered devices, keys, apps and events

    def restore_address(self):
        person = self.person(lambda one: one.removed_addresses)
        address = sorted(person.removed_addresses)[-1]
        self.sql(f"""
            insert into account_emails (account_id, address_key, address, source, is_main, proved_at)
            values ('{person.account}', '{address}', '{address}', 'person', false, now())""")
        return [f"the removal of the address {address}"]

    def change_main_address(self):
        person = self.person(lambda one: one.main)
        self.sql(f"update account_emails set is_main = false where account_id = '{person.account}'")
        return [f"{person.main} is not the main address"]

    def delete_box(self):
        person = self.person(lambda one: one.boxes and one.password)
        box = person.boxes[-1]
        self.sql(f"delete from factors where id = '{box.id}'")
        return [f"the factor {box.id} by", f"a code by {box.kind} of {person.account}"]

    def delete_device(self):
        person = self.person(lambda one: one.remembered())
        self.sql(f"delete from remembered_devices where account_id = '{person.account}'")
        return [f"{person.remembered()[-1].name} of {person.account} is not"]

    def restore_device(self):
        person = self.person(lambda one: one.app and one.password and any(device.state == ENDED for device in one.devices))
        device = [one for one in person.devices if one.state == ENDED][-1]
        digest = hashlib.sha256(base64.urlsafe_b64decode(device.token.removeprefix("dt_") + "=")[:16]).hexdigest()
        self.sql(f"""
            insert into remembered_devices (id, account_id, digest, expires_at)
            values (gen_random_uuid(), '{person.account}', '\\x{digest}', now() + interval '1 day')""")
        return [f"{gateway.machine.name} still remembers {device.name}" for gateway in self.deployment.gateways]

    def change_key(self, state, change):
        """Of the newest one in a state. Triggers run: by them the gateways learn of it."""
        key = [key for key in self.world.keys if key.state == state][-1]
        self.deployment.cluster.sql(f"{change} where id = '{key.id}'")
        return key.id

    def delete_key(self):
        return [f"the access key {self.change_key(OPEN, 'delete from access_keys')} is refused"]

    def restore_key(self):
        key = self.change_key(ENDED, "update access_keys set revoked_at = null")
        return [f"{gateway.machine.name} accepts the revoked access key {key}" for gateway in self.deployment.gateways]

    def delete_grant(self):
        person = self.person(lambda one: one.has_grant)
        self.sql(f"delete from app_grants where account_id = '{person.account}'")
        return [f"an app to {person.account} should be True"]

    def restore_app_use(self):
        """An app that is enabled again does not get its sessions back, save by this time. Triggers run, as with keys."""
        session = self.world.cut_off[-1]
        for change in ("disabled_at = null", "live_since = '-infinity'"):
            self.deployment.cluster.sql(f"update clients set {change} where id = '{session.client}'")
        return [f"of the ended session {session.id}"]

    def forget_event(self):
        """The receiver never got it."""
        session = self.refreshed()[0].id
        self.deployment.receiver.taken.discard(("session.created", session))
        return [f"session.created of {session}"]

    def restore_device_code(self):
        code = self.world.device_codes[-1]
        self.sql(f"""
            insert into device_requests (id, client_id, device_digest, user_code_digest, scopes, interval_seconds, expires_at)
            values (gen_random_uuid(), 'app', '\\x{device_digest(code)}', 'sabotage', '{{}}', 5,
                    now() + interval '1 minute')""")
        return [f"the device code {code[:12]}"]
