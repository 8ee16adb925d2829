-- Disables the client of a document that is gone, which ends its sessions. It stays unchanged if it is disabled already.
-- Locks: clients.
create or replace function withdraw_client_document(p_url text, p_address text, p_request text) returns void language plpgsql as $$
declare
    gone text;
begin
    update clients c set disabled_at = now(), withdrawn = true
      from client_documents d
     where d.url = p_url and c.id = d.client_id and c.disabled_at is null
    returning c.id into gone;
    if not found then
        return;
    end if;
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('client_changed', 'done', 'document_withdrawn', gone, p_address, p_request, jsonb_build_object('document', p_url));
end $$;
