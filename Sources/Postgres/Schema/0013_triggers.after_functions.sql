-- Triggers (their functions exist now) and the first months of the audit log.

create trigger clients_changed after insert or update or delete on clients
    for each statement execute function clients_changed();
create trigger client_documents_changed after update on client_documents
    for each statement execute function clients_changed();
create trigger access_keys_changed after insert or update or delete on access_keys
    for each statement execute function clients_changed();
create trigger client_claims_changed after insert or update or delete on client_claims
    for each row execute function client_claims_changed();
create trigger client_disabled after update of disabled_at on clients
    for each row when (old.disabled_at is distinct from new.disabled_at) execute function client_disabled();
create trigger client_enabled before update of disabled_at on clients
    for each row when (old.disabled_at is not null and new.disabled_at is null) execute function client_enabled();
create trigger clients_stay before delete on clients
    for each row when (old.origin = 'operator') execute function apps_stay();
create trigger clients_stay_all before truncate on clients
    for each statement execute function apps_stay();
create trigger message_texts_changed after insert or update or delete on message_texts
    for each statement execute function message_texts_changed();
create trigger signing_keys_changed after insert or update or delete on signing_keys
    for each statement execute function signing_keys_changed();

create trigger identities_queue_revocations before delete on identities
    for each row execute function queue_provider_revocations();
create trigger identities_end_address_changes after insert or delete on identities
    for each row execute function forget_address_changes();
create trigger emails_end_address_changes
    after insert or delete or update of account_id, address_key, address, source, proved_at, is_relay, is_main on account_emails
    for each row execute function forget_address_changes();
create trigger identities_end_guest after insert or update of account_id on identities
    for each row execute function end_guest();
create trigger passkeys_end_guest after insert or update of account_id on passkeys
    for each row execute function end_guest();
create trigger emails_end_guest after insert or update of account_id, proved_at on account_emails
    for each row when (new.proved_at is not null and not new.is_relay) execute function end_guest();
create trigger phones_end_guest after insert or update of account_id, proved_at on account_phones
    for each row when (new.proved_at is not null) execute function end_guest();
-- No app knows a session whose code was never redeemed: a redemption changes rotated_at.
create trigger sessions_note_logout after update of ended_at on sessions
    for each row when (old.ended_at is null and new.ended_at is not null and new.scopes @> '{openid}'
                       and (new.browser_id is null or new.rotated_at > new.created_at)) execute function note_logout();
create trigger accounts_take_sessions_along after delete on accounts
    for each row execute function take_sessions_along();
create trigger identities_leave_sessions after delete on identities
    for each row execute function leave_identity_sessions();

create trigger forget_pruned_counts after update of pruned_before on audit_checkpoint
    for each row when (new.pruned_before > old.pruned_before) execute function forget_pruned_counts();

select guard_audit_table('audit_inbox');
select guard_audit_table('audit_sealed');
select guard_audit_table('audit_chain');
select close_audit_partition('audit_sealed_default');
select make_audit_partitions();
