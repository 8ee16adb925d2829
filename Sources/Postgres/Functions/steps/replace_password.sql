-- Sets a new password of the user with all its verifiers. Sessions, remembered devices and flows of the old password end.
-- `p_through`: the address that it depends on, in the form of proof_thing, or null; `p_is_coded`: by a code sent there.
-- The password keeps the mark of a put-in password before it, or is marked as beside another put-in method. Only a code to
-- an address that is not put in clears the mark.
-- Locks: accounts (for update), passwords, srp_verifiers, *keep_srp_verifiers, *end_other_flows, remembered_devices, known_devices, *end_account_sessions. The account before
-- its password, as in a sign-in.
-- Invariant: an ended session stays ended.
create or replace function replace_password(p_account uuid, p_password password_verifiers, p_reason text, p_through text, p_is_coded boolean, p_except uuid, p_flow uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
declare
    is_cleared constant boolean :=
        p_is_coded
        and (exists (select from account_emails e where e.account_id = p_account and 'mailbox ' || e.address_key = p_through
                        and e.proved_at is not null and not is_put_in(e.source) and not is_put_in(e.joined_by))
             or exists (select from account_phones p where p.account_id = p_account and 'phone ' || p.phone_key = p_through
                           and p.proved_at is not null and not is_put_in(p.source) and not is_put_in(p.joined_by)));
    mark constant text := case when not is_cleared then mark_beside(p_account) end;
begin
    perform 1 from accounts where id = p_account for update;
    update accounts set password_state = 'usable', changed_at = now() where id = p_account;
    insert into passwords as w (account_id, hash, set_through, joined_by, added_by)
    values (p_account, (p_password).hash, p_through, mark, coalesce(p_except, p_flow))
    on conflict (account_id) do update
       set hash = excluded.hash, set_at = now(), set_through = excluded.set_through, former_hashes = '{}',
           joined_at = case when not is_cleared then w.joined_at end,
           joined_by = case when is_cleared then null when is_put_in(w.joined_by) then w.joined_by else coalesce(mark, w.joined_by) end;
    delete from srp_verifiers where account_id = p_account;
    perform keep_srp_verifiers(p_account, p_password);
    perform end_other_flows(p_account, p_flow);
    delete from remembered_devices where account_id = p_account;
    delete from known_devices where account_id = p_account;
    perform end_account_sessions(p_account, p_reason, p_except);
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('password_set', 'done', p_reason, p_account, p_except, p_client, p_address, p_request);
    perform notify_account(p_account, 'password_changed', jsonb_build_object('reason', p_reason), p_client);
end $$;
